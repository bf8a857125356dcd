"""What operators read: check, status, the terminal."""

from __future__ import annotations

SENTENCES: dict[str, dict[str, str]] = {
    # the Slack app's manifest
    "manifest.description": {
        "en": "Answers from your team's own documents, with footnotes you can check",
        "ko": "팀의 문서에서 찾아 각주와 함께 답합니다",
    },
    "manifest.agent": {
        "en": "Ask about your team's documents. Each answer comes with footnotes; what they don't hold is said to be"
        " not found.",
        "ko": "팀의 문서에 대해 물어보세요. 답에는 각주가 붙고, 문서에 없는 것은 찾지 못했다고 말합니다.",
    },
    "manifest.command": {
        "en": "Ask privately, bring the index up to date, see what is known",
        "ko": "혼자 물어보기, 색인 갱신, 아는 문서 보기",
    },
    "manifest.shortcut_named": {"en": "Ask {name} about this", "ko": "{name}에게 물어보기"},
    "manifest.shortcut": {"en": "Ask about this", "ko": "이 메시지 물어보기"},
    "manifest.shortcut_about": {
        "en": "An answer to this message, in its thread",
        "ko": "이 메시지에 스레드에서 답합니다",
    },
    "activity.received": {"en": "Thumbs up: {up}, down: {down}", "ko": "좋은 답변 {up}, 아쉬운 답변 {down}"},
    # what refdesk check says
    "check.config": {
        "en": "Data: {data_dir}; policy {policy}",
        "ko": "데이터: {data_dir}; 정책 {policy}",
    },
    "check.day": {"en": "Answers as of {today}", "ko": "기준 날짜: {today}"},
    "check.models": {
        "en": "Embedder {embedder}, analyzer {analyzer}; no language model: answers are quoted from the documents.",
        "ko": "임베더 {embedder}, 분석기 {analyzer}; 언어 모델 없음: 답은 문서에서 인용합니다.",
    },
    "check.models_asked": {
        "en": "Embedder {embedder}, analyzer {analyzer}; {large} writes, {small} judges, at {where}; steps: {steps}.",
        "ko": "임베더 {embedder}, 분석기 {analyzer}; {where}의 {large}가 쓰고 {small}이 판단합니다. 단계별: {steps}.",
    },
    "check.collection": {
        "en": "{name}: {documents} documents, {passages} passages, published {when}",
        "ko": "{name}: 문서 {documents}개, 구절 {passages}개, {when}에 반영",
    },
    "check.many_passages": {
        "en": "The file's index holds {held} passages; from some {many} on Pinecone serves many questions at once"
        ' better: vectors = "pinecone" under [index].',
        "ko": "파일 색인에 구절이 {held}개 있습니다. {many}개쯤부터는 여러 질문이 한꺼번에 올 때 Pinecone이 낫습니다:"
        ' [index]에 vectors = "pinecone"을 적어 주세요.',
    },
    "check.embedding": {
        "en": "Embedding changed from {old} to {new}; collections to rebuild: {count} ({names}). Run `refdesk sync`.",
        "ko": "임베딩이 {old}에서 {new}(으)로 바뀌었습니다: 다시 만들 문서 모음 {count}개({names})."
        " `refdesk sync`를 실행해 주세요.",
    },
    "check.embedding_rebuilding": {
        "en": "Embedding changed from {old} to {new}; collections to rebuild: {count} ({names}).",
        "ko": "임베딩이 {old}에서 {new}(으)로 바뀌었습니다: 다시 만들 문서 모음 {count}개({names}).",
    },
    "check.embedding_serves": {
        "en": "  Until then they answer as before, by {old}.",
        "ko": "  그때까지는 이전처럼 {old}(으)로 답합니다.",
    },
    "check.embedding_words": {
        "en": "  Until then they are searched by words alone, because {old} can't be used: {why}",
        "ko": "  그때까지는 낱말로만 검색합니다. {old}을(를) 쓸 수 없기 때문입니다: {why}",
    },
    "check.analyzer": {
        "en": "Analyzer changed from {old} to {new}: {count} passages are found by their old words"
        " until `refdesk sync` has read them anew.",
        "ko": "분석기가 {old}에서 {new}(으)로 바뀌었습니다: 구절 {count}개는 `refdesk sync`가 다시 읽을 때까지"
        " 이전 낱말로 찾습니다.",
    },
    "check.source_missing": {"en": "{name}: {reason}", "ko": "{name}: {reason}"},
    "check.never_synced": {
        "en": "{name}: never synced; run `refdesk sync`.",
        "ko": "{name}: 아직 동기화하지 않았습니다. `refdesk sync`를 실행해 주세요.",
    },
    "check.stray": {
        "en": "{name} is in the index but not in refdesk.toml; `refdesk index --forget {name}` deletes it.",
        "ko": "{name}은(는) 색인에 있지만 refdesk.toml에 없습니다. `refdesk index --forget {name}`로 지울 수 있습니다.",
    },
    "check.web": {
        "en": "Web search: not configured.",
        "ko": "웹 검색: 설정되지 않음.",
    },
    "check.web_closed": {
        "en": "Web search: off until allow_domains, or allow_any = true, is written under [web].",
        "ko": "웹 검색: [web]에 allow_domains나 allow_any = true를 쓸 때까지 꺼져 있음.",
    },
    "check.web_on": {
        "en": "Web search: {provider}, on {domains} and what lies below.",
        "ko": "웹 검색: {provider}, {domains} 및 하위 도메인.",
    },
    "check.web_any": {
        "en": "Web search: {provider}, on any domain.",
        "ko": "웹 검색: {provider}, 모든 도메인.",
    },
    "check.web_denied": {
        "en": "  never on {domains}",
        "ko": "  제외: {domains}",
    },
    "check.slack_none": {
        "en": "Slack: not configured (SLACK_BOT_TOKEN is not set).",
        "ko": "Slack: 설정되지 않음(SLACK_BOT_TOKEN 없음).",
    },
    "check.slack_off": {"en": 'Slack: switched off (mode = "off").', "ko": 'Slack: 꺼져 있음(mode = "off").'},
    "check.slack_socket": {
        "en": "Slack: {team}, as @{bot}, by Socket Mode.",
        "ko": "Slack: {team}, @{bot}, Socket Mode.",
    },
    "check.slack_http": {
        "en": "Slack: {team}, as @{bot}, over HTTP on {host}:{port} (whether the signing secret is right, only a"
        " request of Slack's can show).",
        "ko": "Slack: {team}, @{bot}, HTTP {host}:{port}(서명 비밀이 맞는지는 Slack의 요청이 와야 알 수 있습니다).",
    },
    "check.slack_several": {
        "en": "Slack: workspaces install the app at {url}/slack/install; allowed: {teams}.",
        "ko": "Slack: 워크스페이스가 {url}/slack/install에서 앱을 설치합니다. 허용: {teams}.",
    },
    "check.slack_scopes": {
        "en": "  all {count} permissions (scopes) are there",
        "ko": "  필요한 권한(scope) {count}개가 모두 있음",
    },
    "check.slack_scope_missing": {
        "en": "  missing permission {scope}: {why}",
        "ko": "  없는 권한 {scope}: {why}",
    },
    "check.slack_scope_remedy": {
        "en": "  Paste what `refdesk slack manifest` prints at {page} and install the app again, or leave features out"
        " (`features` under [slack]).",
        "ko": "  `refdesk slack manifest`가 출력한 것을 {page}에 붙여 넣고 앱을 다시 설치하거나,"
        " [slack]의 `features`에서 기능을 빼세요.",
    },
    "check.slack_events": {"en": "  all {count} events are sent", "ko": "  필요한 이벤트 {count}개를 모두 받음"},
    "check.slack_event_missing": {
        "en": "  the event {event} is not sent: the app does not subscribe to it",
        "ko": "  이벤트 {event}을(를) 받지 못함: 앱이 구독하지 않음",
    },
    "check.slack_events_untold": {
        "en": "  Which events are sent Slack tells only by an app configuration token (SLACK_CONFIG_TOKEN, from the"
        " foot of https://api.slack.com/apps); without one, compare {page} with `refdesk slack manifest`.",
        "ko": "  어떤 이벤트를 보내는지는 앱 구성 토큰(SLACK_CONFIG_TOKEN, https://api.slack.com/apps 아래쪽)이 있어야"
        " Slack이 알려 줍니다. 없으면 {page}을(를) `refdesk slack manifest`의 것과 비교하세요.",
    },
    "check.discord_none": {
        "en": "Discord: not configured ({name} is not set).",
        "ko": "Discord: 설정되지 않음({name} 없음).",
    },
    "check.discord_off": {"en": 'Discord: switched off (mode = "off").', "ko": 'Discord: 꺼져 있음(mode = "off").'},
    "check.discord": {"en": "Discord: as @{bot}.", "ko": "Discord: @{bot}."},
    "check.discord_reads": {
        "en": "Discord: @{bot} reads channels for collections ({name}).",
        "ko": "Discord: @{bot}이(가) 컬렉션용 채널을 읽음({name}).",
    },
    "check.discord_intent": {"en": "  Message Content Intent is on", "ko": "  Message Content Intent 켜짐"},
    "check.discord_intent_missing": {
        "en": "  Message Content Intent is off: switch it on at {page}",
        "ko": "  Message Content Intent가 꺼져 있음: {page}에서 켜세요",
    },
    "check.discord_intent_source": {
        "en": "  Without it collections of Discord channels stay empty.",
        "ko": "  꺼져 있으면 Discord 채널의 컬렉션은 비어 있습니다.",
    },
    "check.discord_without": {
        "en": "  With message_content = false under [discord] Refdesk works without it: mentions, replies to it, direct"
        " messages, commands and message menus.",
        "ko": "  [discord]에 message_content = false를 쓰면 없어도 됩니다. 멘션, 답장, DM, 명령, 메시지 메뉴는 그대로"
        " 쓸 수 있습니다.",
    },
    "check.discord_named": {
        "en": "  message_content = false: mentions, replies to it, direct messages, commands and message menus work;"
        " follow-ups without a mention are not heard",
        "ko": "  message_content = false: 멘션, 답장, DM, 명령, 메시지 메뉴만 쓸 수 있고 멘션 없는 후속 질문은 듣지"
        " 못함",
    },
    "check.discord_away": {
        "en": "  the bot is not on the server {guild}",
        "ko": "  봇이 서버 {guild}에 없음",
    },
    "check.discord_unseen": {
        "en": "  channel {channel}: not there, or the bot can't see it (View Channels)",
        "ko": "  채널 {channel}: 없거나 봇이 볼 수 없음(View Channels)",
    },
    "check.discord_missing": {
        "en": "  channel {channel}: missing permission {permission}: {why}",
        "ko": "  채널 {channel}: 없는 권한 {permission}: {why}",
    },
    "check.discord_rooms": {
        "en": "  channels named in the settings: all permissions are there ({count})",
        "ko": "  설정에 적힌 채널: 권한이 모두 있음({count}개)",
    },
    "check.discord_remedy": {
        "en": "  Open the link that `refdesk discord invite` prints, or change the channel's permissions in Discord.",
        "ko": "  `refdesk discord invite`가 출력한 링크를 열거나 Discord에서 채널 권한을 바꾸세요.",
    },
    # how the desk is doing: refdesk status, and what admins see in a chat
    "connection.up": {"en": "{platform}: connected since {when}", "ko": "{platform}: {when}부터 연결됨"},
    "connection.down": {"en": "{platform}: not connected since {when}", "ko": "{platform}: {when}부터 연결되지 않음"},
    "connection.heard": {"en": "last heard at {when}", "ko": "마지막 수신 {when}"},
    "activity.none": {
        "en": "No questions in the last {days} days.",
        "ko": "지난 {days}일 동안 질문이 없었습니다.",
    },
    "activity.turns": {
        "en": "{count} questions in the last {days} days",
        "ko": "지난 {days}일 동안 질문 {count}건",
    },
    "activity.ended": {"en": "  {what}: {count}", "ko": "  {what}: {count}"},
    "activity.ended.supported": {"en": "supported by the sources", "ko": "출처가 뒷받침함"},
    "activity.ended.closest": {"en": "closest passages only", "ko": "가장 가까운 내용만"},
    "activity.ended.unchecked": {"en": "not checked", "ko": "확인하지 않음"},
    "activity.ended.partial": {"en": "cut short by a limit", "ko": "한도에 걸려 중단"},
    "activity.ended.not_found": {"en": "not found", "ko": "찾지 못함"},
    "activity.ended.direct": {"en": "answered without searching", "ko": "찾지 않고 답함"},
    "activity.ended.clarify": {"en": "asked back", "ko": "되물음"},
    "activity.ended.failed": {"en": "failed", "ko": "실패"},
    "activity.ended.kept_quiet": {"en": "kept quiet (nobody had asked us)", "ko": "조용히 있음(부르지 않은 질문)"},
    "activity.ended.withdrawn": {"en": "withdrawn", "ko": "취소됨"},
    "activity.ended.waiting": {"en": "waiting", "ko": "대기 중"},
    "activity.ended.running": {"en": "being answered", "ko": "답하는 중"},
    "activity.costs": {"en": "Paid for models:", "ko": "모델 사용:"},
    "activity.cost": {
        "en": "  {day} {model}: {calls} calls, {cost}",
        "ko": "  {day} {model}: 호출 {calls}번, {cost}",
    },
    "activity.cost_unknown": {"en": "price not set", "ko": "가격이 설정되지 않음"},
    "activity.web": {
        "en": "Corrected from the web: {searched} of {turns} questions put to the documents ({rate} %)",
        "ko": "웹에서 보완: 문서에서 찾은 질문 {turns}건 중 {searched}건({rate} %)",
    },
    "activity.web_collection": {
        "en": "  {name}: {searched} of {turns} ({rate} %)",
        "ko": "  {name}: {turns}건 중 {searched}건({rate} %)",
    },
    "activity.lacking": {
        "en": "{name} lacks material: {rate} % of its questions needed the web. Add documents on what is asked.",
        "ko": "{name}에 자료가 부족합니다. 질문의 {rate} %에 웹 검색이 필요했습니다. 관련 문서를 추가하세요.",
    },
    "check.eager": {
        "en": "The trigger “any” with k = {k} corrects nearly every question; use “verdict”, or k of 4 and less.",
        "ko": "k = {k}에서 trigger “any”는 거의 모든 질문을 다시 찾게 합니다. “verdict”를 쓰거나 k를 4 이하로 하세요.",
    },
    "check.nobody_named": {
        "en": "Nobody is named to ask: without [admins], or owners of a collection, answers about it have no button"
        " “Ask a human”.",
        "ko": "물어볼 사람이 정해져 있지 않습니다. [admins]나 문서 모음의 owners가 없으면 답에 “사람에게 묻기” 버튼이"
        " 나오지 않습니다.",
    },
    "check.fine": {"en": "Everything is in place.", "ko": "모두 준비되어 있습니다."},
    # the terminal
    "console.welcome": {
        "en": "Ask about {collections}. /help lists the commands; Ctrl-D ends.",
        "ko": "{collections}에 대해 물어보세요. /help로 명령을 볼 수 있고, Ctrl-D로 끝냅니다.",
    },
    "console.thread_begins": {
        "en": "There is no thread {thread} yet; it begins with this question.",
        "ko": "{thread} 대화는 아직 없습니다. 이 질문으로 새로 시작합니다.",
    },
    "console.thread": {
        "en": "To ask a follow-up: --thread {thread}",
        "ko": "이어서 물어보려면: --thread {thread}",
    },
    "console.demo_instead": {
        "en": "There is no refdesk.toml here, so this asks the bundled handbook.",
        "ko": "여기에 refdesk.toml이 없어 함께 제공되는 예시 문서에서 찾습니다.",
    },
    "console.new_thread": {"en": "A new thread: {thread}", "ko": "새 대화: {thread}"},
    "console.forgotten": {
        "en": "This thread is forgotten; {count} turns were deleted.",
        "ko": "이 대화를 지웠습니다. 질문 {count}개를 삭제했습니다.",
    },
    "console.collection": {
        "en": "{name} ({title}): {documents} documents, {passages} passages; {terms}",
        "ko": "{name}({title}): 문서 {documents}개, 구절 {passages}개; {terms}",
    },
    "console.help": {
        "en": "/new starts another thread · /why explains the last answer · /reindex [NAME …] reads changed documents"
        " · /collections lists what can be asked · /forget deletes this thread · /quit ends",
        "ko": "/new 새 대화 · /why 마지막 답의 이유 · /reindex [이름 …] 바뀐 문서 다시 읽기 · "
        "/collections 물어볼 수 있는 문서 모음 · /forget 이 대화 삭제 · /quit 끝내기",
    },
}
