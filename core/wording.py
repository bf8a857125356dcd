"""Every fixed sentence that people see, in Korean and English.

A sentence is looked up by key and filled with named fields; which language it is spoken in is
decided by the question. Nothing else in the project may hold a sentence for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.messages import Language

SENTENCES: dict[str, dict[str, str]] = {
    # errors
    "error.internal": {
        "en": "Something went wrong here. Please try again; if it stays, tell an admin the id {error_id}.",
        "ko": "문제가 생겼습니다. 다시 시도해 주세요. 계속되면 관리자에게 번호 {error_id}를 알려 주세요.",
    },
    "error.input": {
        "en": "That input can't be used: {what}.",
        "ko": "이 입력은 쓸 수 없습니다: {what}.",
    },
    "error.question_empty": {
        "en": "The question is empty. Write what you would like to know.",
        "ko": "질문이 비어 있습니다. 알고 싶은 것을 적어 주세요.",
    },
    "error.question_long": {
        "en": "The question is {length} characters long; at most {limit} are read. Please shorten it.",
        "ko": "질문이 {length}자입니다. 최대 {limit}자까지 읽을 수 있으니 줄여 주세요.",
    },
    "error.config": {
        "en": "{where}: {what}.",
        "ko": "{where}: {what}.",
    },
    "error.store": {
        "en": "{path} can't be used ({what}). Move it away and run `refdesk sync` to build it anew.",
        "ko": "{path} 파일을 쓸 수 없습니다({what}). 다른 곳으로 옮긴 뒤 `refdesk sync`로 다시 만들어 주세요.",
    },
    "error.source": {
        "en": "The source {source} can't be read: {what}.",
        "ko": "원본 {source}을(를) 읽을 수 없습니다: {what}.",
    },
    "error.access": {
        "en": "You don't have permission for that here.",
        "ko": "여기서 그 작업을 할 권한이 없습니다.",
    },
    "error.busy": {
        "en": "I'm busy with other questions right now. Please try again in a moment.",
        "ko": "지금 다른 질문을 처리하고 있습니다. 잠시 뒤 다시 시도해 주세요.",
    },
    "error.upstream": {
        "en": "A service I depend on failed. Please try again; id {error_id}.",
        "ko": "의존하는 서비스에 문제가 있습니다. 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.timeout": {
        "en": "A service I depend on took too long. Please try again; id {error_id}.",
        "ko": "의존하는 서비스의 응답이 너무 늦습니다. 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.refused": {
        "en": "A service I depend on refused the request. An admin can look up id {error_id} in the log.",
        "ko": "의존하는 서비스가 요청을 거절했습니다. 관리자가 로그에서 번호 {error_id}를 확인할 수 있습니다.",
    },
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
    "parse.unreadable": {"en": "no permission to read it", "ko": "읽을 권한이 없습니다"},
    "parse.timeout": {"en": "reading it took too long", "ko": "읽는 데 너무 오래 걸립니다"},
    "parse.encoding": {"en": "its character encoding can't be told", "ko": "문자 인코딩을 알 수 없습니다"},
}


def say(key: str, language: Language, **fields: object) -> str:
    """The sentence for `key` in `language`, filled with `fields`.

    Raises KeyError for an unknown key: that is a bug, and a test finds it.
    """
    return SENTENCES[key][language].format(**fields)
