"""Answers: what stands in and under them, and what is said while they are made."""

from __future__ import annotations

SENTENCES: dict[str, dict[str, str]] = {
    # answers: what stands above, in or under the text of a reply
    "answer.not_found": {
        "en": "I couldn't find this in {collections}. The nearest page is {title}.",
        "ko": "{collections}에서 답을 찾지 못했습니다. 가장 가까운 문서는 {title}입니다.",
    },
    "answer.not_found_at_all": {
        "en": "I couldn't find this in {collections}.",
        "ko": "{collections}에서 답을 찾지 못했습니다.",
    },
    "answer.none_of_period": {
        "en": "I couldn't find a document of {period} on this in {collections}. The nearest is {title} of {date}.",
        "ko": "{collections}에 {period}에 해당하는 문서가 없습니다. 가장 가까운 문서는 {date} 자 {title}입니다.",
    },
    "answer.nothing_indexed": {
        "en": "There are no documents that I may read for you here yet. An admin can add a collection.",
        "ko": "여기서 읽을 수 있는 문서가 아직 없습니다. 관리자가 문서 모음을 추가할 수 있습니다.",
    },
    "answer.nothing_for_outside": {
        "en": "People from outside read along here (or I can't tell whether they do), and there is nothing that"
        " I may read for them. An admin can open a collection to them (`external = true`), or ask me where only members"
        " read.",
        "ko": "외부 사람이 함께 보거나 그런지 확인할 수 없는 곳이라 외부에 공개된 문서만 쓸 수 있는데,"
        " 그런 문서가 없습니다. 관리자가 문서 모음을 외부에 공개하거나(`external = true`), 구성원만 있는 곳에서"
        " 질문해 주세요.",
    },
    "answer.closest": {
        "en": "I'm not sure this answers it; the closest passages are:",
        "ko": "정확한 답인지 확실하지 않습니다. 가장 가까운 내용은 다음과 같습니다.",
    },
    "answer.as_written": {
        "en": "The document says, in its own language:",
        "ko": "문서 원문에는 다음과 같이 적혀 있습니다.",
    },
    "answer.no_document_of": {
        "en": "I have no document of {period} on this. The nearest is {title} of {date}, which says:",
        "ko": "{period}에 해당하는 문서는 없습니다. 가장 가까운 문서는 {date} 자 {title}이며, 내용은 다음과 같습니다.",
    },
    "answer.limits": {
        "en": "Answers are quoted from the documents; set a model for written answers.",
        "ko": "답은 문서에서 그대로 인용한 것입니다. 문장으로 쓴 답을 원하면 모델을 설정해 주세요.",
    },
    "answer.clarify_open": {
        "en": "What is your question about? Please name the subject, and I'll look it up.",
        "ko": "무엇에 관한 질문인가요? 대상을 알려 주시면 찾아보겠습니다.",
    },
    "answer.web": {"en": "the web", "ko": "웹"},
    "answer.web_down": {
        "en": "This would have to be looked up on the web, which can't be searched right now. Please try again later.",
        "ko": "이 질문은 웹에서 찾아야 하는데 지금은 웹을 검색할 수 없습니다. 나중에 다시 시도해 주세요.",
    },
    # lines under an answer
    "note.stopped": {
        "en": "The time or the number of tries for one question ran out; this is the best so far.",
        "ko": "한 질문에 쓸 수 있는 시간이나 횟수를 다 써서 지금까지의 최선을 보여 드립니다.",
    },
    "note.stopped_by_you": {
        "en": "Stopped; this is what there was by then.",
        "ko": "중단했습니다. 그때까지의 내용입니다.",
    },
    "note.files_unread": {
        "en": "I can't read files here, so these were not looked at: {files}",
        "ko": "여기서는 파일을 읽을 수 없어 다음은 보지 않았습니다: {files}",
    },
    "note.failed": {
        "en": "A service I depend on failed before this was finished; it is the best so far.",
        "ko": "답을 마치기 전에 의존하는 서비스에 문제가 생겨 지금까지의 최선을 보여 드립니다.",
    },
    "note.by_words": {
        "en": "Searched by words alone: {collections}, indexed with an embedder that can't be used now."
        " `refdesk sync` rebuilds the index.",
        "ko": "낱말로만 검색한 곳: {collections}. 색인할 때 쓴 임베더를 지금 쓸 수 없습니다."
        " `refdesk sync`로 색인을 다시 만들 수 있습니다.",
    },
    "note.quoted": {
        "en": "The model could not write an answer just now; this is quoted from the documents.",
        "ko": "지금은 모델이 답을 쓸 수 없어 문서를 그대로 인용했습니다.",
    },
    "note.unfounded": {
        "en": "I found no passage that supports this; please check it before you rely on it.",
        "ko": "이 답을 뒷받침하는 문서 구절을 찾지 못했습니다. 쓰기 전에 꼭 확인해 주세요.",
    },
    "note.web_failed": {
        "en": "The web could not be searched, so this rests on the documents alone.",
        "ko": "웹을 검색할 수 없어 문서만을 바탕으로 답했습니다.",
    },
    "note.dated": {
        "en": "This rests on a document of {date}.",
        "ko": "{date} 자 문서를 바탕으로 한 답입니다.",
    },
    # the line of trust: its parts stand side by side
    "trust.supported": {"en": "Supported by its sources", "ko": "출처가 뒷받침함"},
    "trust.unchecked": {"en": "Not checked against its sources", "ko": "출처와 대조하지 않음"},
    "trust.partial": {"en": "Not confirmed by its sources", "ko": "출처로 확인되지 않음"},
    "trust.closest": {
        "en": "Closest passages only, perhaps no answer",
        "ko": "가장 가까운 내용일 뿐 답이 아닐 수 있음",
    },
    "trust.searched": {"en": "searched: {where}", "ko": "찾은 곳: {where}"},
    "trust.more": {"en": "{count} more", "ko": "그 밖에 {count}곳"},
    "trust.used_of": {"en": "passages used: {used} of {found}", "ko": "쓴 구절: {found}개 중 {used}개"},
    "trust.used": {"en": "passages used: {used}", "ko": "쓴 구절: {used}개"},
    # footnotes
    "footnote.page": {"en": "p. {page}", "ko": "{page}쪽"},
    "footnote.web": {"en": "From the web:", "ko": "웹에서:"},
    "footnote.nearest": {"en": "Nearest documents:", "ko": "가까운 문서:"},
    "prompts.title": {"en": "Ask, for example:", "ko": "예를 들면:"},
    # status lines while a question is being answered
    "status.heard": {"en": "On it…", "ko": "확인하는 중…"},
    "status.queued": {
        "en": "Noted; it is next, after what I'm answering now…",
        "ko": "질문을 받았습니다. 지금 답하는 질문 다음에 답하겠습니다…",
    },
    "status.withdrawn": {"en": "The question was withdrawn.", "ko": "질문이 취소되었습니다."},
    "status.planning": {"en": "Understanding the question…", "ko": "질문을 이해하는 중…"},
    "status.searching": {"en": "Searching {collections}…", "ko": "{collections}에서 찾는 중…"},
    "status.web": {"en": "Searching the web…", "ko": "웹에서 찾는 중…"},
    "status.reading": {"en": "Reading what was found…", "ko": "찾은 내용을 읽는 중…"},
    "status.rewriting": {"en": "Searching again in other words…", "ko": "다른 말로 다시 찾는 중…"},
    "status.writing": {"en": "Writing…", "ko": "답을 쓰는 중…"},
    "status.checking": {"en": "Checking against the sources…", "ko": "출처와 대조하는 중…"},
    # direct replies: nothing is searched for these
    "direct.greeting": {
        "en": "Hello! Ask me anything about {collections}.",
        "ko": "안녕하세요! {collections}에 대해 무엇이든 물어보세요.",
    },
    "direct.greeting_bare": {
        "en": "Hello! There are no documents for me to search here yet.",
        "ko": "안녕하세요! 아직 여기서 찾아볼 문서가 없습니다.",
    },
    "direct.thanks": {
        "en": "You're welcome. Ask again whenever you like.",
        "ko": "천만에요. 언제든 다시 물어보세요.",
    },
    "direct.goodbye": {"en": "Goodbye!", "ko": "안녕히 가세요!"},
    "direct.smalltalk": {
        "en": "I only know what stands in the documents. Ask me about {collections}.",
        "ko": "저는 문서에 있는 내용만 알고 있습니다. {collections}에 대해 물어보세요.",
    },
    "direct.smalltalk_bare": {
        "en": "I only know what stands in the documents, and there are none here yet.",
        "ko": "저는 문서에 있는 내용만 아는데, 여기에는 아직 문서가 없습니다.",
    },
    "direct.capabilities": {
        "en": "I answer questions from these documents, with footnotes you can check: {collections}.",
        "ko": "다음 문서에서 답을 찾아 확인할 수 있는 각주와 함께 알려 드립니다: {collections}.",
    },
    "direct.capabilities_bare": {
        "en": "I answer questions from your documents, with footnotes you can check. There are none here yet.",
        "ko": "문서에서 답을 찾아 확인할 수 있는 각주와 함께 알려 드립니다. 여기에는 아직 문서가 없습니다.",
    },
    "direct.samples": {"en": "For example:", "ko": "예를 들면:"},
}
