"""Jobs, Cards, the router and its self-test."""

from __future__ import annotations

SENTENCES: dict[str, dict[str, str]] = {
    "reindex.begun": {
        "en": "Reading {collections} anew: waiting for its turn…",
        "ko": "다시 읽기: {collections}. 차례를 기다리는 중…",
    },
    "reindex.here": {
        "en": "Asked for. How it goes is told in this channel.",
        "ko": "요청했습니다. 진행 상황은 이 채널에 알려 드립니다.",
    },
    "reindex.direct": {
        "en": "Asked for. How it goes is told in your direct messages with me.",
        "ko": "요청했습니다. 진행 상황은 DM으로 알려 드립니다.",
    },
    "reindex.which": {"en": "Which collection shall be read anew?", "ko": "어느 문서 모음을 다시 읽을까요?"},
    "reindex.choose": {"en": "Choose a collection", "ko": "문서 모음 선택"},
    "reindex.all": {"en": "All of them", "ko": "모두"},
    "reindex.more": {
        "en": "{count} more can be named: {command} reindex NAME",
        "ko": "목록에 없는 {count}개는 이름으로 지정해 주세요: {command} reindex 이름",
    },
    # jobs: syncs that were asked for
    "job.line": {
        "en": "{id} {collection}: {status}; asked {when} by {by}",
        "ko": "{id} {collection}: {status}; {when} {by} 요청",
    },
    "jobs.listed": {"en": "`{command} jobs`", "ko": "`{command} 작업`"},
    "job.by.schedule": {"en": "the schedule", "ko": "예약"},
    "job.by.console": {"en": "the command line", "ko": "명령줄"},
    "job.by.corrections": {"en": "a correction", "ko": "정정"},
    "job.by.somebody": {"en": "somebody on {platform}", "ko": "{platform} 사용자"},
    "job.brief": {
        "en": "{id} {collection}: {status}; asked {when}",
        "ko": "{id} {collection}: {status}; {when} 요청",
    },
    "job.progress": {"en": "{phase} {done} of {total}", "ko": "{phase} {done}/{total}"},
    "job.status.waiting": {"en": "waiting", "ko": "대기 중"},
    "job.status.running": {"en": "running", "ko": "실행 중"},
    "job.status.interrupted": {"en": "interrupted, to be taken up again", "ko": "중단됨, 다시 이어서 할 예정"},
    "job.status.stopping": {"en": "stopping", "ko": "멈추는 중"},
    "job.status.done": {"en": "done", "ko": "완료"},
    "job.status.failed": {"en": "failed", "ko": "실패"},
    "job.status.cancelled": {"en": "cancelled", "ko": "취소됨"},
    "job.joined": {
        "en": "{collection}: a sync waits already ({id}); it is yours too.",
        "ko": "{collection}: 이미 대기 중인 동기화({id})가 있어 함께 기다립니다.",
    },
    "job.crowded": {
        "en": "{collection}: a sync waits already ({id}), but more people asked for it than can be told how it goes. "
        "The list of syncs shows what came of it.",
        "ko": "{collection}: 이미 대기 중인 동기화({id})가 있지만, 요청한 사람이 많아 따로 알려 드리지 못합니다. "
        "결과는 동기화 목록에서 볼 수 있습니다.",
    },
    "job.behind": {
        "en": "{collection} is being synced; another sync ({id}) follows, for what has changed since.",
        "ko": "{collection} 동기화가 진행 중입니다. 그 뒤의 변경을 위해 동기화({id})를 한 번 더 합니다.",
    },
    "job.behind_silent": {
        "en": "{collection}: the process that was syncing it gives no sign of life; "
        "it is taken over in about {seconds} s, then sync {id} follows.",
        "ko": "{collection}: 동기화하던 프로세스가 응답하지 않습니다. "
        "약 {seconds}초 뒤 이어받고, 그다음 동기화({id})를 합니다.",
    },
    "job.failing": {
        "en": "{collection}: failed syncs in a row: {count}, the last {when}. {reason}",
        "ko": "{collection}: 연속으로 실패한 동기화 {count}회, 마지막 {when}. {reason}",
    },
    "job.next": {"en": "{collection}: next sync {when}", "ko": "{collection}: 다음 동기화 {when}"},
    "job.none": {"en": "No syncs were asked for yet.", "ko": "아직 요청된 동기화가 없습니다."},
    "router.self_test": {"en": "Self-test", "ko": "라우터 점검"},
    "router.tested": {
        "en": "Router self-test: {percent} right ({hits} of {asked} questions)",
        "ko": "라우터 점검: 정답률 {percent} (질문 {asked}개 중 {hits}개)",
    },
    "router.tested_talk": {
        "en": "Router self-test: too few headings to test; small talk {hits} of {asked}",
        "ko": "라우터 점검: 제목이 너무 적어 점검할 수 없음, 잡담은 {asked}개 중 {hits}개",
    },
    "router.tested_at": {
        "en": "{result}, {when}, {planner} planner",
        "ko": "{result}, {when}, {planner} 플래너",
    },
    "router.never_tested": {
        "en": "The router was never tested; the next `refdesk sync` that changes something does it.",
        "ko": "라우터를 아직 점검하지 않았습니다. 바뀐 것이 있는 다음 `refdesk sync` 때 점검합니다.",
    },
    "router.untested": {
        "en": "  The router could not be tested this time; refdesk.log says why.",
        "ko": "  이번에는 라우터를 점검하지 못했습니다. 까닭은 refdesk.log에 있습니다.",
    },
    "router.alarms": {
        "en": "Warnings about the router: {count}; `refdesk router` shows them.",
        "ko": "라우터 경고 {count}건: `refdesk router`에서 볼 수 있습니다.",
    },
    "router.warned": {
        "en": "Questions may be looked for in the wrong collection. The last sync found:",
        "ko": "질문을 엉뚱한 문서 모음에서 찾을 수 있습니다. 마지막 동기화에서 알게 된 점:",
    },
    "router.place": {
        "en": "{place}: {percent} ({hits} of {asked}); searched for {searched} of them",
        "ko": "{place}: {percent} ({asked}개 중 {hits}개), 그중 {searched}개는 검색 대상에 듦",
    },
    "router.place_talk": {
        "en": "{place}: {percent} ({hits} of {asked})",
        "ko": "{place}: {percent} ({asked}개 중 {hits}개)",
    },
    "router.place_none": {
        "en": "{place}: too few headings to ask about any",
        "ko": "{place}: 제목이 너무 적어 물어볼 것이 없음",
    },
    "router.few": {"en": "(a small sample, it says little)", "ko": "(표본이 작아 참고만 하세요)"},
    "router.outside": {
        "en": "out of scope: for {percent} no collection was singled out ({hits} of {asked})",
        "ko": "범위 밖 질문: {percent}는 특정 문서 모음으로 보내지 않음 ({asked}개 중 {hits}개)",
    },
    "router.unasked": {
        "en": "{count} questions were left out: no time, or the planner failed on them",
        "ko": "질문 {count}개는 시간이 모자라거나 플래너가 실패해 빠짐",
    },
    "router.confusions": {"en": "Taken for another:", "ko": "잘못 보낸 질문:"},
    "router.confusion": {
        "en": "{asked} → {routed}: {count} ({examples})",
        "ko": "{asked} → {routed}: {count} ({examples})",
    },
    "router.trend": {"en": "Trend: {trend}", "ko": "추이: {trend}"},
    "alarm.low": {
        "en": "Warning: {place} is routed right for only {percent} of its test questions ({hits} of {asked}).",
        "ko": "경고: {place}의 점검 질문 중 {percent}만 제대로 보냈습니다 ({asked}개 중 {hits}개).",
    },
    "alarm.fell": {
        "en": "Warning: {place} is routed right for {percent} of its test questions ({hits} of {asked}), {before}"
        " before.",
        "ko": "경고: {place}의 점검 질문 중 {percent}를 제대로 보냈습니다 ({asked}개 중 {hits}개)."
        " 이전에는 {before}였습니다.",
    },
    "alarm.pair": {
        "en": "{asked} → {routed}: {count}, such as {examples}",
        "ko": "{asked} → {routed}: {count}개, 예: {examples}",
    },
    "alarm.only": {"en": "only {name} has: {terms}", "ko": "{name}에만 있는 말: {terms}"},
    "alarm.remedy": {
        "en": "What helps: a `hint` for {asked} in refdesk.toml that says what only it holds, titles that tell it from"
        " {routed}, or one collection instead of the two.",
        "ko": "이렇게 해 보세요: refdesk.toml에서 {asked}에만 있는 내용을 `hint`로 쓰거나, {routed}와(과) 구별되는"
        " 제목을 붙이거나, 둘을 하나로 합치세요.",
    },
    "alarm.remedy_hint": {
        "en": "What helps: a `hint` for {asked} in refdesk.toml, worded as people ask.",
        "ko": "이렇게 해 보세요: 사람들이 묻는 말로 refdesk.toml에서 {asked}의 `hint`를 쓰세요.",
    },
    "diff.when": {"en": "{line} (published {when})", "ko": "{line} ({when}에 반영)"},
    "diff.new": {"en": "{name}: new, version {after}", "ko": "{name}: 새 카드, 버전 {after}"},
    "diff.none": {
        "en": "{name}: nothing that is shown changed, version {after}",
        "ko": "{name}: 보이는 내용은 그대로, 버전 {after}",
    },
    "diff.changed": {"en": "{name}: version {before} → {after}", "ko": "{name}: 버전 {before} → {after}"},
    "diff.fact": {"en": "{what}: {before} → {now}", "ko": "{what}: {before} → {now}"},
    "diff.title": {"en": "title", "ko": "이름"},
    "diff.hint": {"en": "hint", "ko": "힌트"},
    "diff.documents": {"en": "documents", "ko": "문서"},
    "diff.passages": {"en": "passages", "ko": "구절"},
    "diff.languages": {"en": "languages", "ko": "언어"},
    "diff.dates": {"en": "dates", "ko": "날짜"},
    "diff.terms": {"en": "key terms", "ko": "핵심어"},
    "diff.titles": {"en": "titles", "ko": "문서 제목"},
    "diff.headings": {"en": "headings", "ko": "소제목"},
    "diff.questions": {"en": "questions", "ko": "질문"},
    "router.cards": {"en": "Cards", "ko": "카드"},
    "router.prompt": {"en": "Router prompt ({hash})", "ko": "라우터 프롬프트 ({hash})"},
}
