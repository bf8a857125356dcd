"""Documents: why one was not read, what a sync came to."""

from __future__ import annotations

SENTENCES: dict[str, dict[str, str]] = {
    # a document that can't be read
    "parse.broken": {
        "en": "the file is broken or not what its name says",
        "ko": "파일이 손상되었거나 이름과 형식이 다릅니다",
    },
    "parse.scanned": {
        "en": "the PDF has no text layer (scanned?); run it through OCR",
        "ko": "PDF에 글자 층이 없습니다(스캔본?). OCR을 거쳐 주세요",
    },
    "parse.garbled": {
        "en": "the text layer is garbled; export the PDF again or run it through OCR",
        "ko": "글자 층이 깨져 있습니다. PDF를 다시 내보내거나 OCR을 거쳐 주세요",
    },
    "parse.password": {"en": "it is protected by a password", "ko": "암호로 보호되어 있습니다"},
    "parse.too_large": {
        "en": "it is larger than the limit of {limit_mb} MB",
        "ko": "크기 한도 {limit_mb}MB를 넘습니다",
    },
    "parse.empty": {"en": "it holds no text", "ko": "내용이 비어 있습니다"},
    "parse.unsupported": {"en": "files of this kind are not read", "ko": "지원하지 않는 형식입니다"},
    "parse.convert": {
        "en": "files of this kind are not read; save it as PDF or DOCX beside it",
        "ko": "이 형식은 읽지 못합니다. PDF나 DOCX로 저장해 함께 두세요",
    },
    "parse.unreadable": {
        "en": "it can't be opened; check the permissions",
        "ko": "열 수 없습니다. 읽기 권한을 확인해 주세요",
    },
    "parse.gone": {"en": "it disappeared while it was being read", "ko": "읽는 동안 없어졌습니다"},
    "parse.name": {
        "en": "its name is not valid UTF-8; rename it",
        "ko": "파일 이름이 UTF-8이 아닙니다. 이름을 바꿔 주세요",
    },
    "parse.name_twice": {
        "en": "another file has the same name in another Unicode form; rename one",
        "ko": "유니코드 형식만 다른 같은 이름의 파일이 있습니다. 하나의 이름을 바꿔 주세요",
    },
    "parse.lfs": {
        "en": "it is kept in Git LFS, which is not fetched",
        "ko": "Git LFS에 보관된 파일은 가져오지 않습니다",
    },
    "parse.line": {"en": "the line can't be used ({detail})", "ko": "쓸 수 없는 줄입니다({detail})"},
    "parse.line_open": {
        "en": "line {number} of {document} can't be used ({detail}), so removed lines stay until it is mended",
        "ko": "{document}의 {number}번째 줄을 쓸 수 없어({detail}) 고칠 때까지 삭제된 줄이 그대로 남습니다",
    },
    "parse.page_failed": {
        "en": "the site did not give the page ({detail})",
        "ko": "사이트가 페이지를 주지 않았습니다({detail})",
    },
    "parse.page_closed": {
        "en": "the page is not open to everybody ({detail}), so nothing is answered from it",
        "ko": "누구나 볼 수 있는 페이지가 아니어서({detail}) 답변에 쓰지 않습니다",
    },
    "parse.page_private": {
        "en": "it leads to a machine that is not on the public internet ({detail})",
        "ko": "공개 인터넷에 있지 않은 주소로 이어집니다({detail})",
    },
    "parse.slack_failed": {
        "en": "Slack did not give it ({detail})",
        "ko": "Slack에서 받지 못했습니다({detail})",
    },
    "parse.slack_outside": {
        "en": "the app is not in the channel; invite it there: /invite @Refdesk",
        "ko": "앱이 채널에 없습니다. 채널에서 /invite @Refdesk로 초대해 주세요",
    },
    "parse.slack_unknown": {
        "en": "there is no such channel that the app can see; nothing of it is kept",
        "ko": "앱이 볼 수 있는 채널이 아닙니다. 그 채널의 문서는 남기지 않습니다",
    },
    "parse.slack_direct": {
        "en": "direct messages are never read",
        "ko": "개인 메시지는 읽지 않습니다",
    },
    "parse.slack_closed": {
        "en": "it is private or shared with another organisation, so nothing of it is kept; if it is meant, name it "
        "under allow_closed and restrict who may read the collection",
        "ko": "비공개이거나 다른 조직과 함께 쓰는 채널이어서 문서를 남기지 않습니다. 의도한 것이라면 allow_closed에 "
        "적고 컬렉션을 볼 수 있는 사람을 제한해 주세요",
    },
    "parse.note_threads_limit": {
        "en": "more threads than max_threads allows; {detail} were left out, answered ones first taken",
        "ko": "스레드가 max_threads보다 많아 {detail}개를 뺐습니다. 답변된 스레드를 먼저 담습니다",
    },
    "parse.timeout": {"en": "reading it took too long", "ko": "읽는 데 너무 오래 걸립니다"},
    "parse.memory": {
        "en": "reading it takes more than {limit_mb} MB of memory",
        "ko": "읽는 데 메모리 {limit_mb}MB로는 모자랍니다",
    },
    "parse.long": {
        "en": "its text is longer than the limit of {limit_mb} MB",
        "ko": "본문이 한도 {limit_mb}MB보다 깁니다",
    },
    "parse.bomb": {
        "en": "it swells beyond all measure when it is opened ({detail})",
        "ko": "열면 지나치게 부풀어 오르는 파일입니다({detail})",
    },
    "parse.crashed": {
        "en": "the process that read it broke down over it",
        "ko": "읽던 프로세스가 이 파일에서 멈췄습니다",
    },
    "parse.no_reader": {
        "en": "no process could be started to read it; see the log",
        "ko": "읽을 프로세스를 시작하지 못했습니다. 로그를 확인해 주세요",
    },
    "parse.encoding": {"en": "its character encoding can't be told", "ko": "문자 인코딩을 알 수 없습니다"},
    "parse.thread_failed": {
        "en": "the thread could not be read ({detail})",
        "ko": "스레드를 읽지 못했습니다({detail})",
    },
    "parse.discord_unseen": {
        "en": "the bot can't read this channel; give it View Channel and Read Message History there",
        "ko": "봇이 이 채널을 읽을 수 없습니다. 채널 보기와 메시지 기록 보기 권한을 주세요",
    },
    "parse.discord_gone": {
        "en": "there is no such channel any more; take it out of the source",
        "ko": "이 채널은 더 이상 없습니다. source에서 빼 주세요",
    },
    "parse.discord_kind": {
        "en": "it is neither a text channel nor a forum",
        "ko": "텍스트 채널도 포럼도 아닙니다",
    },
    "parse.discord_closed": {
        "en": "not everybody on its server may read it, so nothing of it is kept; if it is meant, name its id under "
        "allow_closed and restrict who may read the collection",
        "ko": "서버의 모두가 읽을 수 있는 채널이 아니어서 문서를 남기지 않습니다. 의도한 것이라면 allow_closed에 ID를 "
        "적고 컬렉션을 볼 수 있는 사람을 제한해 주세요",
    },
    "parse.discord_failed": {
        "en": "Discord did not say what threads there are ({detail})",
        "ko": "Discord가 스레드 목록을 주지 않았습니다({detail})",
    },
    # a document that was read, with something to say about it
    "parse.note_unknown": {
        "en": "there is something to be said of it; sync it again to read what",
        "ko": "확인할 내용이 있습니다. 다시 동기화하면 볼 수 있습니다",
    },
    "parse.note_pages_empty": {
        "en": "pages without a text layer were left out: {detail}",
        "ko": "글자 층이 없는 쪽은 빠졌습니다: {detail}",
    },
    "parse.note_pages_garbled": {
        "en": "pages with a garbled text layer were left out: {detail}",
        "ko": "글자 층이 깨진 쪽은 빠졌습니다: {detail}",
    },
    "parse.note_encoding": {
        "en": "read as {detail}; save it as UTF-8 if letters look wrong",
        "ko": "{detail}(으)로 읽었습니다. 글자가 이상하면 UTF-8로 저장해 주세요",
    },
    "parse.note_pages_limit": {
        "en": "more pages than max_pages allows; only {detail} were read",
        "ko": "max_pages보다 페이지가 많아 {detail}개만 읽었습니다",
    },
    "parse.note_time_limit": {
        "en": "not all pages could be looked at within {detail} minutes (max_minutes)",
        "ko": "{detail}분(max_minutes) 안에 모든 페이지를 확인하지 못했습니다",
    },
    "parse.note_threads_time": {
        "en": "not all threads could be looked at within {detail} minutes (max_minutes)",
        "ko": "{detail}분(max_minutes) 안에 모든 스레드를 확인하지 못했습니다",
    },
    "parse.note_size_limit": {
        "en": "not all pages could be looked at within {detail} MB (max_mb)",
        "ko": "{detail}MB(max_mb) 안에 모든 페이지를 확인하지 못했습니다",
    },
    "parse.note_sitemap": {
        "en": "a sitemap could not be read ({detail})",
        "ko": "사이트맵을 읽지 못했습니다({detail})",
    },
    "parse.note_sitemap_cut": {
        "en": "a sitemap breaks off, or names more than {detail} addresses",
        "ko": "사이트맵이 중간에 끊겼거나 주소가 {detail}개보다 많습니다",
    },
    "parse.note_sitemaps_limit": {
        "en": "the site has more sitemaps than are read; only {detail} were",
        "ko": "사이트맵이 너무 많아 {detail}개만 읽었습니다",
    },
    "parse.note_links_limit": {
        "en": "the page is very long; only its first {detail} links were followed",
        "ko": "페이지가 매우 길어 처음 링크 {detail}개까지만 따라갔습니다",
    },
    "parse.note_passages_limit": {
        "en": "very long: only its first {detail} passages were taken in (max_passages under [ingest])",
        "ko": "문서가 매우 길어 처음 구절 {detail}개만 담았습니다([ingest]의 max_passages)",
    },
    "parse.note_cut": {"en": "only the first {detail} rows were read", "ko": "처음 {detail}행만 읽었습니다"},
    # why the Slack app asks for a permission
    "scope.mentions": {"en": "hear that somebody names it", "ko": "부르는 것을 듣기"},
    "scope.threads": {
        "en": "hear follow-ups without a mention, and read the thread around a question, in public channels",
        "ko": "공개 채널에서 부르지 않은 이어지는 질문을 듣고 질문이 있는 스레드 읽기",
    },
    "scope.rooms": {
        "en": "know whether a channel is public, private or shared with another organisation",
        "ko": "채널이 공개인지, 비공개인지, 다른 조직과 공유되는지 알기",
    },
    "scope.writing": {
        "en": "post answers, let them grow, show that it is at work",
        "ko": "답을 올리고, 이어 쓰고, 일하는 중임을 보이기",
    },
    "scope.commands": {
        "en": "the slash command, and “Ask about this” on messages",
        "ko": "슬래시 명령과 메시지의 “물어보기”",
    },
    "scope.direct": {"en": "hear questions in direct messages", "ko": "DM의 질문 듣기"},
    "scope.direct_rooms": {"en": "know a direct message from a channel", "ko": "DM과 채널을 구별하기"},
    "scope.direct_opening": {
        "en": "send a private answer as a direct message when the command's own address has run out",
        "ko": "명령에 답할 수 있는 시간이 지나면 비공개 답을 DM으로 보내기",
    },
    "scope.people": {
        "en": "write names instead of ids; know guests and workspace admins",
        "ko": "ID 대신 이름 쓰기, 게스트와 워크스페이스 관리자 알기",
    },
    "scope.private_threads": {"en": "the same in private channels", "ko": "비공개 채널에서도 똑같이 하기"},
    "scope.private_rooms": {"en": "the same of private channels", "ko": "비공개 채널에 대해서도 알기"},
    "scope.group_threads": {"en": "the same in group messages", "ko": "그룹 메시지에서도 똑같이 하기"},
    "scope.group_rooms": {"en": "the same of group messages", "ko": "그룹 메시지에 대해서도 알기"},
    "scope.groups": {
        "en": "let user groups read collections and be admins",
        "ko": "사용자 그룹에 문서 모음을 보이거나 관리자 권한을 주기",
    },
    "scope.agent": {
        "en": "Slack's agent view: status lines, titles, suggested prompts",
        "ko": "Slack 에이전트 화면: 상태 표시, 제목, 추천 질문",
    },
    # syncing
    "sync.phase.list": {"en": "listing", "ko": "목록 확인"},
    "sync.phase.documents": {"en": "reading", "ko": "읽는 중"},
    "sync.phase.passages": {"en": "embedding passages", "ko": "구절 임베딩"},
    "sync.phase.cards": {"en": "making Cards", "ko": "카드 생성"},
    "sync.phase.test": {"en": "testing the router", "ko": "라우터 점검"},
    "sync.phase.publish": {"en": "publishing", "ko": "반영"},
    "sync.phase.clean": {"en": "cleaning up", "ko": "정리"},
    "sync.going": {"en": "{collection}: {what}", "ko": "{collection}: {what}"},
    "sync.not_indexed": {
        "en": "{collection} is not indexed yet: {reason}",
        "ko": "{collection}은(는) 아직 색인되지 않았습니다: {reason}",
    },
    "sync.not_refreshed": {
        "en": "{collection} could not be brought up to date, what was indexed before serves: {reason}",
        "ko": "{collection}을(를) 최신 상태로 만들지 못해 이전에 색인한 내용으로 답합니다: {reason}",
    },
    "sync.report": {
        "en": "{collection}: {added} added, {changed} changed, {removed} removed, {unchanged} unchanged, "
        "{failed} not read; {passages} passages, {seconds} s",
        "ko": "{collection}: 추가 {added}, 변경 {changed}, 삭제 {removed}, 그대로 {unchanged}, "
        "읽지 못함 {failed}; 구절 {passages}개, {seconds}초",
    },
    "sync.problem": {
        "en": "  {document} was not read: {reason}.",
        "ko": "  {document} 파일을 읽지 못했습니다: {reason}.",
    },
    "sync.remark": {"en": "  {document}: {reason}.", "ko": "  {document}: {reason}."},
    "sync.line": {"en": "  {reason}.", "ko": "  {reason}."},
    "sync.unsupported": {
        "en": "  {count} files of kinds that are not read were left out: {kinds}.",
        "ko": "  지원하지 않는 형식의 파일 {count}개는 읽지 않았습니다: {kinds}.",
    },
    "sync.convert": {
        "en": "  {count} files of kinds that are not read were left out: {kinds}."
        " Save documents as PDF or DOCX beside them.",
        "ko": "  지원하지 않는 형식의 파일 {count}개는 읽지 않았습니다: {kinds}."
        " 문서는 PDF나 DOCX로 저장해 함께 두세요.",
    },
    "sync.more": {
        "en": "  … and {count} more; `refdesk check` lists them all.",
        "ko": "  … 외 {count}건; `refdesk check`로 모두 볼 수 있습니다.",
    },
    "sync.prompt_changed": {
        "en": "  The router prompt has changed with it; `refdesk router --diff` shows how.",
        "ko": "  라우터 프롬프트도 함께 바뀌었습니다. `refdesk router --diff`로 볼 수 있습니다.",
    },
    "sync.incomplete": {
        "en": "  {collection} could not be listed completely, so nothing was removed from the index.",
        "ko": "  {collection} 목록을 끝까지 확인하지 못해 색인에서 아무것도 지우지 않았습니다.",
    },
}
