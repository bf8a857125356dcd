"""How far each server was heard: written down only as far as all was heard, and not while something is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from adapters.discord.bookmark import Bookmark
from core.errors import StoreError


@dataclass
class Book:
    """What was written; it can be shut."""

    marks: dict[str, int] = field(default_factory=dict)
    shut: bool = False
    writings: int = 0

    async def read(self, platform: str) -> Mapping[str, int]:
        return dict(self.marks)

    async def move(self, platform: str, messages: Mapping[str, int]) -> None:
        if self.shut:
            raise StoreError
        self.writings += bool(messages)
        self.marks |= messages


def said(bookmark: Bookmark, *messages: int, server: str = "1") -> None:
    for message in messages:
        with bookmark.hearing(server, message):
            pass


async def whole(book: Book) -> Bookmark:
    """One that has caught up."""
    bookmark = Bookmark(book, every=0.01)
    bookmark.connected()
    bookmark.caught_up(bookmark.gap)
    return bookmark


async def test_many_messages_are_one_writing() -> None:
    book = Book()
    bookmark = await whole(book)
    said(bookmark, *range(1000))
    said(bookmark, 7, server="2")
    await asyncio.sleep(0.05)
    assert book.marks == {"1": 999, "2": 7}
    assert book.writings == 1
    await bookmark.close()
    assert book.writings == 1


async def test_what_is_still_being_heard_holds_the_mark_back() -> None:
    book = Book()
    bookmark = await whole(book)
    said(bookmark, 1, 2)
    with bookmark.hearing("1", 3):
        said(bookmark, 4, 5)
        await bookmark.close()
        assert book.marks == {"1": 2}
    await bookmark.close()
    assert book.marks == {"1": 5}


async def test_a_message_that_broke_us_is_done_with_and_one_that_we_left_is_not() -> None:
    book = Book()
    bookmark = await whole(book)
    with pytest.raises(ValueError, match="a bug"), bookmark.hearing("1", 1):
        raise ValueError("a bug")
    said(bookmark, 2)
    await bookmark.close()
    assert book.marks == {"1": 2}
    with pytest.raises(asyncio.CancelledError), bookmark.hearing("1", 3):
        raise asyncio.CancelledError
    said(bookmark, 4)
    await bookmark.close()
    assert book.marks == {"1": 2}


async def test_until_what_was_missed_is_heard_nothing_is_written_and_what_came_in_is_not_missing() -> None:
    book = Book({"1": 10})
    bookmark = Bookmark(book, every=0.01)
    bookmark.connected()
    said(bookmark, 20, 21)
    await bookmark.close()
    assert book.marks == {"1": 10}
    assert await bookmark.since() == {"1": 10}
    assert bookmark.is_missing("1", 19)
    assert not bookmark.is_missing("1", 20)
    assert bookmark.is_missing("2", 99)
    bookmark.heard("1", 19)
    bookmark.caught_up(bookmark.gap)
    await bookmark.close()
    assert book.marks == {"1": 21}


async def test_a_new_connection_misses_what_came_after_the_last_that_was_heard_here_or_elsewhere() -> None:
    book = Book({"1": 1, "2": 1})
    bookmark = await whole(book)
    said(bookmark, 10)
    said(bookmark, 10, server="2")
    bookmark.connected()
    said(bookmark, 30)
    book.marks["2"] = 20  # another process goes on
    assert await bookmark.since() == {"1": 10, "2": 20}
    bookmark.connected()  # and once more before anybody looked
    assert await bookmark.since() == {"1": 10, "2": 20}


async def test_a_gap_that_opened_during_the_look_is_still_open_after_it() -> None:
    bookmark = Bookmark(Book())
    bookmark.connected()
    gap = bookmark.gap
    bookmark.connected()
    bookmark.caught_up(gap)
    assert bookmark.behind
    bookmark.caught_up(bookmark.gap)
    assert not bookmark.behind
    await bookmark.close()


async def test_what_could_not_be_written_is_written_later() -> None:
    book = Book(shut=True)
    bookmark = await whole(book)
    said(bookmark, 1)
    await asyncio.sleep(0.05)
    book.shut = False
    said(bookmark, 2, server="2")
    await bookmark.close()
    assert book.marks == {"1": 1, "2": 2}
