"""Chat platforms: buttons, forms, commands, notes to one person."""

from __future__ import annotations

SENTENCES: dict[str, dict[str, str]] = {
    "error.slack_not_in_channel": {
        "en": "I'm not in that channel. Invite me there, then ask again.",
        "ko": "제가 그 채널에 없습니다. 채널에 초대한 뒤 다시 물어봐 주세요.",
    },
    "error.slack_archived": {"en": "That channel is archived.", "ko": "보관된 채널입니다."},
    "error.slack_scope": {
        "en": "The Slack app lacks the permission {needed}. An admin can add it and install the app again.",
        "ko": "Slack 앱에 {needed} 권한이 없습니다. 관리자가 권한을 추가하고 앱을 다시 설치해야 합니다.",
    },
    "error.slack_restricted": {
        "en": "The rules of this workspace don't let me post there.",
        "ko": "이 워크스페이스의 규칙 때문에 그곳에 글을 올릴 수 없습니다.",
    },
    "error.slack_signed_out": {
        "en": "Slack does not accept the app's token any more ({code}). An admin has to install the app again.",
        "ko": "Slack이 앱의 토큰을 더 이상 받지 않습니다({code}). 관리자가 앱을 다시 설치해야 합니다.",
    },
    "error.slack_not_installed": {
        "en": "The app is not installed in that workspace (any more).",
        "ko": "그 워크스페이스에 앱이 설치되어 있지 않습니다.",
    },
    "error.slack_key": {
        "en": "The workspace's token was encrypted under another REFDESK_SECRET_KEY. Put the old key behind the new"
        " one, after a comma, or install the app there again.",
        "ko": "이 워크스페이스의 토큰은 다른 REFDESK_SECRET_KEY로 암호화되었습니다."
        " 새 키 뒤에 쉼표를 찍고 예전 키를 적거나, 앱을 다시 설치해 주세요.",
    },
    "error.slack_token_kind": {
        "en": "{name} is another kind of token: it has to begin with {begins}",
        "ko": "{name}에 다른 종류의 토큰이 들어 있습니다. {begins}(으)로 시작해야 합니다.",
    },
    "error.slack_two_apps": {
        "en": "SLACK_BOT_TOKEN belongs to the app {app}, SLACK_APP_TOKEN to {other}. Take both from one app.",
        "ko": "SLACK_BOT_TOKEN은 앱 {app}의 것이고 SLACK_APP_TOKEN은 {other}의 것입니다. 한 앱의 것을 쓰세요.",
    },
    "error.slack_app_token": {
        "en": "Slack does not accept SLACK_APP_TOKEN ({code}). It must begin with xapp-, belong to the same app and"
        " have the scope connections:write (Basic Information, App-Level Tokens).",
        "ko": "Slack이 SLACK_APP_TOKEN을 받지 않습니다({code}). xapp-으로 시작하고, 같은 앱의 것이며,"
        " connections:write 권한이 있어야 합니다(Basic Information, App-Level Tokens).",
    },
    "error.slack_too_many_sockets": {
        "en": "Slack allows 10 connections for each app, and all are taken. Stop processes that use the same"
        " SLACK_APP_TOKEN.",
        "ko": "Slack은 앱마다 연결을 10개까지 허용하는데 모두 쓰이고 있습니다."
        " 같은 SLACK_APP_TOKEN을 쓰는 프로세스를 멈춰 주세요.",
    },
    "error.slack_socket_off": {
        "en": 'Socket Mode is switched off for the app. Switch it on (Settings, Socket Mode), or use mode = "http".',
        "ko": '앱의 Socket Mode가 꺼져 있습니다. 켜거나(Settings, Socket Mode) mode = "http"를 쓰세요.',
    },
    "error.slack_refused": {
        "en": "Slack refused that ({code}, id {error_id}).",
        "ko": "Slack이 거절했습니다({code}, 번호 {error_id}).",
    },
    "error.slack_down": {
        "en": "Slack can't be reached at the moment (id {error_id}).",
        "ko": "지금은 Slack에 연결할 수 없습니다(번호 {error_id}).",
    },
    "error.slack_people": {
        "en": "I could not look up who you are, since Slack can't be reached at the moment, so I can't tell whether you"
        " may do that. Try again in a minute (id {error_id}).",
        "ko": "지금 Slack에 연결할 수 없어 누구인지 확인하지 못했고, 그 작업을 할 권한이 있는지 알 수 없습니다."
        " 잠시 후 다시 시도해 주세요(번호 {error_id}).",
    },
    "error.no_platform": {
        "en": "There is nowhere to serve: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN, or DISCORD_BOT_TOKEN, in the"
        " environment (see the README, “Slack” and “Discord”).",
        "ko": "연결할 곳이 없습니다. 환경에 SLACK_BOT_TOKEN과 SLACK_APP_TOKEN, 또는 DISCORD_BOT_TOKEN을 설정해 주세요"
        "(README의 “Slack”, “Discord” 참고).",
    },
    "error.platform_closed": {
        "en": "{platform} is not connected at the moment.",
        "ko": "지금은 {platform}에 연결되어 있지 않습니다.",
    },
    "error.answer_gone": {
        "en": "That answer is not there any more.",
        "ko": "그 답변은 더 이상 없습니다.",
    },
    "error.passage_gone": {
        "en": "This source can't be shown here: it was removed, changed, or is not for you to read.",
        "ko": "이 출처는 여기서 보여 드릴 수 없습니다. 삭제되었거나 바뀌었거나, 볼 수 없는 문서입니다.",
    },
    "error.share_not_yours": {
        "en": "Only who asked can share this answer.",
        "ko": "질문한 사람만 이 답변을 공유할 수 있습니다.",
    },
    "error.share_unreadable": {
        "en": "I can't share this there: it rests on documents that not everybody there may read.",
        "ko": "그곳에는 공유할 수 없습니다. 모두가 볼 수 있는 문서에 근거한 답변이 아닙니다.",
    },
    "error.share_under_way": {
        "en": "It is being posted there already.",
        "ko": "이미 게시하는 중입니다.",
    },
    "error.share_nowhere": {
        "en": "There is no channel to share this with. Ask with the command in a channel.",
        "ko": "공유할 채널이 없습니다. 채널에서 명령으로 질문해 주세요.",
    },
    "error.comment_empty": {"en": "Please write something first.", "ko": "내용을 먼저 적어 주세요."},
    "error.comment_long": {
        "en": "That is {length} characters long; please keep it within {limit}.",
        "ko": "{length}자입니다. {limit}자 이내로 적어 주세요.",
    },
    "error.discord_token": {
        "en": "Discord does not accept the bot's token. Set {name} in the environment to the token of the bot's page.",
        "ko": "Discord가 봇 토큰을 받아들이지 않습니다. 봇 페이지의 토큰을 환경 변수 {name}에 설정해 주세요.",
    },
    "error.discord_content": {
        "en": "Discord gives this application messages without their words. Switch on “Message Content Intent” on "
        "the bot's page.",
        "ko": "Discord가 이 애플리케이션에 메시지 내용을 주지 않습니다. 봇 페이지에서 “Message Content Intent”를 켜 "
        "주세요.",
    },
    "error.discord_unseen": {
        "en": "The bot can't see any of the Discord channels {source}. Invite it to their server and give it View "
        "Channel and Read Message History there.",
        "ko": "봇이 Discord 채널 {source}을(를) 하나도 볼 수 없습니다. 서버에 초대하고 채널 보기와 메시지 기록 보기 "
        "권한을 주세요.",
    },
    "error.discord_failed": {
        "en": "Discord did not answer as expected ({what}). Try again later.",
        "ko": "Discord 응답이 올바르지 않습니다({what}). 나중에 다시 시도해 주세요.",
    },
    "error.slack_token_missing": {
        "en": "{name} is not set in the environment. It is the app's bot token, which begins with xoxb-.",
        "ko": "{name} 환경 변수가 없습니다. xoxb-로 시작하는 앱의 봇 토큰을 넣어 주세요.",
    },
    "error.slack_token": {
        "en": "Slack does not accept the bot token ({what}). Install the app in the workspace and copy its token anew.",
        "ko": "Slack이 봇 토큰을 받지 않습니다({what}). 앱을 워크스페이스에 설치하고 토큰을 다시 복사해 주세요.",
    },
    "error.slack_channels": {
        "en": "None of the Slack channels could be read ({channels}). Invite the app to them: /invite @Refdesk.",
        "ko": "Slack 채널을 하나도 읽지 못했습니다({channels}). 채널에서 /invite @Refdesk로 앱을 초대해 주세요.",
    },
    "error.slack_failed": {
        "en": "Slack can't be read right now: {what}. Try again later.",
        "ko": "지금은 Slack을 읽을 수 없습니다: {what}. 나중에 다시 시도해 주세요.",
    },
    "error.channel_id": {
        "en": "{channel} is not a channel's id; write it as platform/workspace/channel, for example slack/T01/C42.",
        "ko": "{channel}은(는) 채널 ID가 아닙니다. slack/T01/C42처럼 플랫폼/워크스페이스/채널로 써 주세요.",
    },
    "error.channel_missing": {
        "en": "Say for which channel, by its id: refdesk channel slack/T01/C42 ….",
        "ko": "어느 채널인지 ID로 알려 주세요: refdesk channel slack/T01/C42 ….",
    },
    "error.hint_form": {
        "en": "A hint is written NAME=TEXT, for example “handbook=Leave and expenses”; “handbook=” alone takes it back."
        " Nothing was changed.",
        "ko": "힌트는 이름=글로 써 주세요. 예: “handbook=휴가와 경비”. “handbook=”만 쓰면 힌트를 없앱니다."
        " 바뀐 것은 없습니다.",
    },
    "error.hint_long": {
        "en": "The hint is {length} characters long; at most {limit} are kept. Please shorten it.",
        "ko": "힌트가 {length}자입니다. 최대 {limit}자까지 쓸 수 있으니 줄여 주세요.",
    },
    # Slack, and what else is said in a channel
    "slack.help": {
        "en": "Ask me something, for example “@Refdesk how long is parental leave?” I answer from the team's own"
        " documents, in a thread, with footnotes; follow-ups there need no mention, and “stop” ends an answer early."
        " `/refdesk help` lists the commands.",
        "ko": "질문을 적어 주세요. 예: “@Refdesk 육아휴직은 얼마나 쓸 수 있나요?” 팀의 문서에서 찾아 스레드에"
        " 각주와 함께 답하고, 그 스레드에서는 부르지 않아도 이어서 답합니다. “중지”라고 하면 답변을 멈춥니다."
        " `/refdesk help`로 명령을 볼 수 있습니다.",
    },
    "help.how": {
        "en": "Ask me in a channel by naming me, or in a direct message; I answer from the team's own documents, in a"
        " thread, with footnotes. Follow-ups in that thread need no mention; “stop” there ends an answer early.",
        "ko": "채널에서 저를 부르거나 DM으로 물어보세요. 팀의 문서에서 찾아 스레드에 각주와 함께 답합니다."
        " 그 스레드에서는 부르지 않아도 이어서 답하고, “중지”라고 하면 답변을 멈춥니다.",
    },
    "help.commands": {
        "en": "- `{command} ask …` asks privately\n- `{command} collections` lists what I know\n"
        "- `{command} quiet` keeps me quiet in your last thread here, `quiet off` ends that\n"
        "- `{command} forget` deletes what you asked in it, `forget me` all that you ever asked\n"
        "- for owners and admins: `{command} reindex [collection|all]`, `jobs`, `cancel ID`, `router`\n"
        "- for admins: `{command} status`, and `{command} channel [mode mention|thread|auto] [default a,b]"
        " [show|hide|unset a] [hint a: …]`",
        "ko": "- `{command} 질문 …` 나만 보는 답\n- `{command} 문서` 물어볼 수 있는 문서 모음\n"
        "- `{command} 조용히` 내가 여기서 마지막으로 물은 스레드에서 조용히, `조용히 해제`로 되돌리기\n"
        "- `{command} 잊기` 그 스레드에서 내가 물은 것 삭제, `잊기 나` 내가 물은 것 모두 삭제\n"
        "- 담당자와 관리자: `{command} 재색인 [문서 모음|전체]`, `작업`, `취소 ID`, `라우터`\n"
        "- 관리자: `{command} 상태`, `{command} 채널 [방식 mention|thread|auto] [기본 a,b]"
        " [보이기|숨기기|해제 a] [힌트 a: …]`",
    },
    "collections.line": {
        "en": "**{name}**{title}: {documents} documents",
        "ko": "**{name}**{title}: 문서 {documents}개",
    },
    "collections.fresh": {"en": "as of {when}", "ko": "{when} 기준"},
    "collections.unread": {"en": "- **{name}**: not read yet", "ko": "- **{name}**: 아직 읽지 않음"},
    "collections.none": {
        "en": "There are no documents here that you may read.",
        "ko": "여기에는 볼 수 있는 문서가 없습니다.",
    },
    # Discord
    "error.discord_gone": {
        "en": "The channel or thread is not there any more.",
        "ko": "채널이나 스레드가 더 이상 없습니다.",
    },
    "error.discord_permission": {
        "en": "I may not write there. Somebody who manages the server can give me Send Messages (in Threads) there.",
        "ko": "그곳에 글을 쓸 권한이 없습니다. 서버 관리자가 메시지 보내기(스레드 포함) 권한을 줄 수 있습니다.",
    },
    "error.discord_closed": {
        "en": "The thread was closed, and I may not open it again.",
        "ko": "스레드가 닫혔고, 제가 다시 열 수 없습니다.",
    },
    "error.discord_no_direct": {
        "en": "I can't write you direct messages. Allow them for this server in its privacy settings.",
        "ko": "DM을 보낼 수 없습니다. 서버의 개인정보 설정에서 DM을 허용해 주세요.",
    },
    "error.discord_refused": {
        "en": "Discord refused that ({code}, id {error_id}).",
        "ko": "Discord가 거절했습니다({code}, 번호 {error_id}).",
    },
    "error.discord_signed_out": {
        "en": "Discord does not accept the bot's token any more. An admin has to set a new one.",
        "ko": "Discord가 봇 토큰을 더 이상 받지 않습니다. 관리자가 새 토큰을 설정해야 합니다.",
    },
    "error.discord_down": {
        "en": "Discord can't be reached at the moment (id {error_id}).",
        "ko": "지금은 Discord에 연결할 수 없습니다(번호 {error_id}).",
    },
    "error.discord_place": {
        "en": "I can't answer in this kind of channel. Ask in a text channel, a thread or a direct message.",
        "ko": "이런 채널에서는 답할 수 없습니다. 텍스트 채널이나 스레드, DM에서 물어봐 주세요.",
    },
    "error.discord_intent": {
        "en": "Discord does not let this bot read messages that don't name it. Switch on “Message Content Intent” on"
        " the bot's page, or write message_content = false under [discord].",
        "ko": "이 봇은 자신을 부르지 않은 메시지를 읽을 수 없습니다. 봇 페이지에서 “Message Content Intent”를 켜거나"
        " [discord]에 message_content = false를 쓰세요.",
    },
    "discord.help": {
        "en": "Ask me something, for example “@Refdesk how long is parental leave?” I answer from the team's own"
        " documents, in a thread, with footnotes. `/ask` asks so that only you see the answer.",
        "ko": "질문을 적어 주세요. 예: “@Refdesk 육아휴직은 얼마나 쓸 수 있나요?” 팀의 문서에서 찾아 스레드에 각주와"
        " 함께 답합니다. `/ask`로 물으면 답을 혼자만 볼 수 있습니다.",
    },
    "discord.help_named": {
        "en": "Here I read only what names me, replies to me, or is written to me directly: name me in follow-ups too.",
        "ko": "저를 부르거나 제게 답장하거나 DM으로 보낸 글만 읽을 수 있습니다. 이어서 물을 때도 저를 불러 주세요.",
    },
    "discord.commands": {
        "en": "`/ask`, `/collections` (what I know of here), `/quiet` (in a thread), `/forget` (what you asked); in a"
        " message's menu under Apps: “Ask Refdesk about this”. For owners and admins: `/reindex`, `/jobs`, `/router`,"
        " `/status`, `/channel`.",
        "ko": "`/ask`(질문), `/collections`(여기서 찾을 수 있는 문서), `/quiet`(스레드에서 조용히), `/forget`(물어본 것"
        " 잊기), 메시지 메뉴의 앱: “Refdesk에 물어보기”. 담당자와 관리자: `/reindex`, `/jobs`, `/router`,"
        " `/status`, `/channel`.",
    },
    "permission.bot": {"en": "be on the server", "ko": "서버에 들어오기"},
    "permission.commands": {"en": "offer `/ask` and the other commands", "ko": "`/ask` 등 명령 제공하기"},
    "permission.view": {"en": "see the channels where it is asked", "ko": "질문을 받는 채널 보기"},
    "permission.history": {
        "en": "read the thread or post that a question is about",
        "ko": "질문과 관련된 스레드나 게시물 읽기",
    },
    "permission.send": {
        "en": "answer in a channel where no thread can be opened",
        "ko": "스레드를 열 수 없는 채널에서 답하기",
    },
    "permission.threads": {"en": "open a thread on a question", "ko": "질문에 스레드 열기"},
    "permission.in_threads": {"en": "answer in threads and forum posts", "ko": "스레드와 포럼 게시물에서 답하기"},
    "permission.embeds": {
        "en": "show sources apart from the answer (without it they are text)",
        "ko": "출처를 답과 따로 보여 주기(없으면 글로 표시)",
    },
    "discord.welcome": {
        "en": "Thank you for having me on **{guild}**. I answer questions from your own documents, with the sources.\n"
        "- **Ask:** mention {us} in a channel, write to me here, or use `/ask` (only you see the answer).\n"
        "- **Next, for admins:** `/collections` shows what one may ask about there, `/channel` sets what is searched in"
        " a channel and when I speak up; where Refdesk runs, `refdesk check` says which permissions I lack. With a list"
        " `guilds` under [discord], this server is one of yours once {id} stands in it.",
        "ko": "**{guild}** 서버에 초대해 주셔서 감사합니다. 팀의 문서에서 찾아 출처와 함께 답합니다.\n"
        "- **질문:** 채널에서 {us}을(를) 부르거나 여기에 쓰거나 `/ask`를 쓰세요(답은 혼자만 봅니다).\n"
        "- **관리자의 다음 할 일:** `/collections`로 그곳에서 물어볼 수 있는 문서를 보고, `/channel`로 채널마다"
        " 찾을 곳과 답할 때를 정하세요. 없는 권한은 Refdesk를 실행하는 곳에서 `refdesk check`로 확인합니다."
        " [discord]에 `guilds` 목록이 있으면 {id}을(를) 넣어야 이 서버가 우리 서버가 됩니다.",
    },
    "discord.thread": {"en": "Question", "ko": "질문"},
    "discord.asks": {"en": "**{name}** asks: {question}", "ko": "**{name}** 님의 질문: {question}"},
    "reply.elsewhere": {
        "en": "I couldn't answer your question where you asked it. {why}",
        "ko": "질문하신 곳에 답을 남기지 못했습니다. {why}",
    },
    "thread.stopped": {
        "en": "Stopped: what you asked here ends with what there is.",
        "ko": "멈췄습니다. 여기서 하신 질문의 답변을 지금까지의 내용으로 마칩니다.",
    },
    "thread.quiet": {
        "en": "I'll be quiet in this thread. Name me to ask again.",
        "ko": "이 스레드에서는 조용히 있겠습니다. 저를 부르시면 다시 답합니다.",
    },
    "thread.loud": {
        "en": "I'll answer follow-ups in this thread again.",
        "ko": "이 스레드에서 다시 이어서 답하겠습니다.",
    },
    "thread.quiet_about": {
        "en": "I'll be quiet in the thread about “{question}”. Name me there to ask again.",
        "ko": "“{question}” 스레드에서는 조용히 있겠습니다. 그곳에서 저를 부르시면 다시 답합니다.",
    },
    "thread.loud_about": {
        "en": "I'll answer follow-ups in the thread about “{question}” again.",
        "ko": "“{question}” 스레드에서 다시 이어서 답하겠습니다.",
    },
    "thread.forgotten": {
        "en": "Forgotten: what you asked in the conversation about “{question}” (questions: {count}). Messages that"
        " stand in a channel stay there until they are deleted.",
        "ko": "“{question}” 대화에서 물은 것을 지웠습니다(질문 {count}개)."
        " 채널에 남아 있는 메시지는 직접 삭제해야 없어집니다.",
    },
    "thread.forgotten_me": {
        "en": "Forgotten: everything you asked in this workspace (questions: {count}). Messages that stand in a channel"
        " stay there until they are deleted.",
        "ko": "이 워크스페이스에서 물은 것을 모두 지웠습니다(질문 {count}개)."
        " 채널에 남아 있는 메시지는 직접 삭제해야 없어집니다.",
    },
    "human.call": {
        "en": "{who}: can you help here? Somebody wants to know it from a person.",
        "ko": "{who} 도와주실 수 있나요? 사람에게 확인하고 싶다고 합니다.",
    },
    "human.ask": {"en": "You can ask: {who}", "ko": "물어볼 수 있는 분: {who}"},
    "feedback.title": {"en": "What was wrong?", "ko": "무엇이 아쉬웠나요?"},
    "feedback.label": {"en": "What was wrong with it?", "ko": "어떤 점이 잘못되었나요?"},
    "feedback.correct": {
        "en": "What is right? It is kept as a document, and cited.",
        "ko": "올바른 내용은 무엇인가요? 문서로 보관하고 출처로 씁니다.",
    },
    "feedback.right": {"en": "What is right?", "ko": "올바른 내용은 무엇인가요?"},
    "feedback.kept": {
        "en": "It is kept as a document, and cited.",
        "ko": "문서로 보관하고 출처로 씁니다.",
    },
    "feedback.question": {
        "en": "The question it answers, as everybody may read it",
        "ko": "이 내용이 답이 되는 질문(모두가 볼 수 있게 적어 주세요)",
    },
    "feedback.thanks": {"en": "Thank you, that is noted.", "ko": "감사합니다. 기록했습니다."},
    "feedback.corrected": {
        "en": "Thank you. The correction is kept; it can be found in a moment.",
        "ko": "감사합니다. 정정한 내용을 보관했고, 곧 찾을 수 있습니다.",
    },
    "share.done": {"en": "Shared with the channel.", "ko": "채널에 공유했습니다."},
    "share.direct": {
        "en": "The answer stands in your direct messages with me; go on there.",
        "ko": "답변을 DM에 올렸습니다. 그곳에서 이어서 물어보세요.",
    },
    "stop.done": {"en": "Stopping.", "ko": "중단합니다."},
    "stop.late": {"en": "It had ended already.", "ko": "이미 끝났습니다."},
    "form.why": {"en": "Why this answer?", "ko": "왜 이 답인가요?"},
    "form.source": {"en": "Source", "ko": "출처"},
    "form.ask": {"en": "Ask privately", "ko": "나만 보이게 질문"},
    "form.question": {"en": "Your question", "ko": "질문"},
    "form.send": {"en": "Send", "ko": "보내기"},
    "form.close": {"en": "Close", "ko": "닫기"},
    "home.title": {"en": "What I know", "ko": "제가 아는 것"},
    "home.how": {"en": "How to ask", "ko": "물어보는 방법"},
    "home.recent": {"en": "What you asked", "ko": "최근 질문"},
    "home.nothing": {"en": "Nothing yet.", "ko": "아직 없습니다."},
    "home.health": {"en": "How things stand", "ko": "운영 상태"},
    "home.unended": {"en": "being answered", "ko": "답변 중"},
    "home.failed": {"en": "no answer", "ko": "답변 없음"},
    "home.unreadable": {"en": "not readable any more", "ko": "더 이상 볼 수 없음"},
    # buttons under an answer
    "button.up": {"en": "Good answer", "ko": "좋은 답변"},
    "button.down": {"en": "Not right", "ko": "아쉬운 답변"},
    "button.why": {"en": "Why this answer?", "ko": "왜 이 답인가요?"},
    "button.human": {"en": "Ask a human", "ko": "사람에게 묻기"},
    "button.quiet": {"en": "Quiet here", "ko": "여기서는 조용히"},
    "button.share": {"en": "Share with the channel", "ko": "채널에 공유"},
    "button.direct": {"en": "Continue in a DM", "ko": "DM으로 계속"},
    "button.stop": {"en": "Stop", "ko": "중단"},
    "forget.done": {
        "en": "{name} is deleted: {documents} documents, {versions} versions of documents in the index,"
        " {copies} copies of its source. The next sync makes the other Cards anew.",
        "ko": "{name}을(를) 지웠습니다: 문서 {documents}개, 색인의 문서 버전 {versions}개, 원본 사본 {copies}개."
        " 다음 동기화에서 다른 카드를 새로 만듭니다.",
    },
    # what refdesk router prints
    "place.talk": {"en": "small talk", "ko": "잡담"},
    "place.outside": {"en": "out of scope", "ko": "범위 밖 질문"},
    "place.everything": {"en": "all collections", "ko": "모든 문서 모음"},
    "place.web": {"en": "the web", "ko": "웹"},
    "place.clarify": {"en": "a question back", "ko": "되묻기"},
    "place.router": {"en": "the router as a whole", "ko": "라우터 전체"},
    # settings of a channel, from chat and at the terminal
    "channel.set": {
        "en": "{channel}: speaks up {mode}; searches {defaults}",
        "ko": "{channel}: {mode} 답함; 찾는 곳 {defaults}",
    },
    "channel.mode.mention": {"en": "when it is mentioned", "ko": "멘션했을 때"},
    "channel.mode.thread": {
        "en": "when it is mentioned, and in its threads",
        "ko": "멘션했을 때와 참여한 스레드에서",
    },
    "channel.mode.auto": {"en": "whenever it is certain", "ko": "확실할 때마다"},
    "channel.mode.unset": {"en": "as configured", "ko": "설정대로"},
    "channel.everything": {"en": "everything that may be read there", "ko": "그곳에서 볼 수 있는 전부"},
    "channel.shown": {"en": "  shown there: {names}", "ko": "  보이는 문서 모음: {names}"},
    "channel.hidden": {"en": "  hidden there: {names}", "ko": "  숨긴 문서 모음: {names}"},
    "channel.outside": {
        "en": "  people from outside read along there, or nobody can tell whether they do: only collections with"
        " `external = true` are used",
        "ko": "  외부 사람이 함께 보거나 그런지 확인할 수 없는 곳이라, `external = true`인 문서 모음만 씁니다",
    },
    "channel.hint": {"en": "  hint of {name}: {hint}", "ko": "  {name}의 힌트: {hint}"},
    "channel.change": {"en": "  {at} {by}: {what}", "ko": "  {at} {by}: {what}"},
    "channel.none": {"en": "Nothing is set for any channel.", "ko": "설정된 채널이 없습니다."},
}
