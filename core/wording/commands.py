"""Commands as Discord's menus show them: what each does, and what may follow it; at most 100 characters each."""

SENTENCES: dict[str, dict[str, str]] = {
    "command.about": {"en": "Ask Refdesk about this", "ko": "Refdesk에 물어보기"},
    "command.ask": {"en": "Ask the documents", "ko": "문서에서 찾아 답하기"},
    "command.ask_question": {"en": "What you would like to know", "ko": "알고 싶은 것"},
    "command.ask_public": {"en": "Let everybody here see it", "ko": "여기 있는 모두에게 보이기"},
    "command.help": {"en": "How to ask, and what else I do", "ko": "물어보는 방법과 그 밖에 할 수 있는 일"},
    "command.collections": {"en": "Which documents I know of here", "ko": "여기서 물어볼 수 있는 문서"},
    "command.status": {"en": "How things stand", "ko": "운영 상태"},
    "command.router": {"en": "What decides where I look", "ko": "어디에서 찾을지 정하는 기준"},
    "command.jobs": {"en": "The latest syncs of documents", "ko": "최근 문서 동기화 작업"},
    "command.jobs_id": {"en": "Show this one with its report", "ko": "이 작업을 결과와 함께 보기"},
    "command.jobs_cancel": {"en": "Stop this one", "ko": "이 작업 취소하기"},
    "command.reindex": {"en": "Read documents anew", "ko": "문서 다시 읽기"},
    "command.reindex_collection": {
        "en": "Which collections, with commas between them (default: all that you may)",
        "ko": "다시 읽을 문서 모음, 여럿이면 쉼표로 구분(기본: 다시 읽을 수 있는 모두)",
    },
    "command.quiet": {"en": "Be quiet in this thread", "ko": "이 스레드에서 조용히 하기"},
    "command.quiet_off": {"en": "Answer here again without being named", "ko": "여기서 부르지 않아도 다시 답하기"},
    "command.forget": {"en": "Forget what you asked", "ko": "물어본 것 잊기"},
    "command.forget_everything": {
        "en": "All that you asked on this server, not only in the last thread here",
        "ko": "여기서 마지막으로 물은 스레드만이 아니라 이 서버에서 물은 것 모두",
    },
    "command.channel": {"en": "What holds in this channel", "ko": "이 채널의 설정"},
    "command.channel_change": {"en": "What to change", "ko": "바꿀 것"},
    "command.channel_value": {
        "en": "The mode, collections, or “collection: hint”",
        "ko": "방식, 문서 모음, 또는 “문서 모음: 힌트”",
    },
    "command.change_mode": {"en": "mode", "ko": "방식"},
    "command.change_default": {"en": "default", "ko": "기본"},
    "command.change_show": {"en": "show", "ko": "보이기"},
    "command.change_hide": {"en": "hide", "ko": "숨기기"},
    "command.change_unset": {"en": "unset", "ko": "해제"},
    "command.change_hint": {"en": "hint", "ko": "힌트"},
}
