"""Which headings of a collection its Card never sees, so that the router can be examined on them; pure.

Chosen by a hash of document and heading, the lowest first: the same from sync to sync, and a page that comes or
goes changes the choice by what it brings itself and by no more than its number. Knows one collection at a
time: what a Card lacks tells nothing of other collections.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from core.catalog.phrases import fold, plain
from core.catalog.terms import terms_of
from core.documents import DocumentRecord

MOST = 40
"""Headings held back of one collection."""

SHARE = 5
"""At most one heading in so many is held back …"""

FULL_SHARE_FROM = 120
"""… and so many only from here on: of a few headings each one counts for more on the Card."""

_ENOUGH = 200
"""Candidates from which on the sample is as large as it gets: SHARE times MOST, and more than its root asks for."""

_LONGEST_WORDS = 12

_FEWEST_TERMS = 2
"""A single word ("Driver") is hardly a question; on the Card it is worth more."""

_SENTENCE = re.compile(r"(?:[.。!…]|다|니다|세요|시오)$|[.。!?？]\s+\S")
_VERSION = re.compile(r"v\d[\d.]*")
_NOTHING_TEXT = """
 about abstract acknowledgements additional advanced agenda appendix appendices attendees authors background basic
 basics best caveats changes changelog checklist conclusion conclusions contact contents date decision decisions
 definition definitions description details discussion example examples faq faqs features feedback first further
 general getting goal goals guide history home how important index info information intro introduction issues links
 list main materials meeting menu minutes misc miscellaneous more motivation name next note notes objective options
 other others outline overview page part preface prerequisite prerequisites problem procedure process purpose
 questions quick quickstart readme reading recap reference references related release requirements resources result
 results scope section sections see setup start started status step steps summary support table templates tip tips
 title todo topics troubleshooting usage v version warning warnings welcome work year 가이드 개요 결과 결론 결정
 결정사항 공지 관련 기본 기타 날짜 내용 논의 단계 더 데모 도움말 들어가며 마치며 마무리 머리말 메모 목록 목적 목차
 목표 문서 문의 문제 배경 버전 범위 변경 변경사항 부록 사용법 상세 설명 설정 세부 소개 시작 시작하기 알아보기 안내
 앞으로 연락처 예 예시 예제 요구사항 요약 용어 원인 유의사항 이력 인사말 일반 일정 읽기 자료 작성자 절차 정리 정보
 정의 제목 주의 주의사항 준비 준비물 질문 참고 참고자료 참고사항 참석자 추가 팁 페이지 할일 항목 해결 확인 회고
 회의 회의록
"""
_NOTHING = frozenset(_NOTHING_TEXT.split())


def held_back(records: Sequence[DocumentRecord]) -> tuple[str, ...]:
    """The plain headings and titles that stay out of the Card, in a fixed order; few of few, none of very few."""
    lots = sorted((_lot(document, heading), heading) for document, heading in _single(records))
    telling = (heading for _, heading in lots if says_something(heading))
    # The words of tens of thousands of headings are not looked at: the sample does not grow beyond these.
    candidates = list(islice(telling, _ENOUGH))
    return tuple(candidates[: sample_size(len(candidates))])


def sample_size(candidates: int) -> int:
    """How many of so many headings are held back: the share grows with their number up to a fifth."""
    return min(MOST, candidates // SHARE, candidates * candidates // (SHARE * FULL_SHARE_FROM))


def says_something(heading: str) -> bool:
    """Whether a question could be made of it: not "Overview", not a number, not a sentence."""
    if len(heading.split()) > _LONGEST_WORDS or _SENTENCE.search(heading):
        return False
    terms = frozenset(terms_of(heading))
    return len(terms) >= _FEWEST_TERMS and any(t not in _NOTHING and not _VERSION.fullmatch(t) for t in terms)


def _single(records: Sequence[DocumentRecord]) -> Iterator[tuple[str, str]]:
    """(document, plain heading) of each that stands in one document.

    A heading of many documents is a heading of their form and asks for none of them.
    """
    places: dict[str, tuple[str, str]] = {}
    shared: set[str] = set()
    for record in records:
        for heading in dict.fromkeys((record.title, *record.headings)):
            words = plain(heading)
            known = places.setdefault(fold(words), (record.id, words))
            if known[0] != record.id:
                shared.add(fold(words))
    return (place for key, place in places.items() if key and key not in shared)


def _lot(document: str, heading: str) -> bytes:
    return hashlib.blake2b(f"{document}\x1f{fold(heading)}".encode(), digest_size=8).digest()
