"""A footnote opened: its passage with the quoted words in it, for who may read it now."""

from __future__ import annotations

import pytest

from adapters.memory.turns import MemoryTurnRecord
from core.access import Visible
from core.desk.passages import FootnoteReading
from core.desk.reading import FixedAccess
from core.documents import Passage, Scope
from core.errors import InputError
from core.messages import Audience
from tests.desk.stand_ins import Building, World, open_desk, said
from tests.rag.stand_ins import Cast, LabelGrader, ListedSearcher, passage

HERE = Audience("chat", "w", "c1")


class Shelf:
    """The passages of the index; only those of collections in the scope are given."""

    def __init__(self, *passages: Passage) -> None:
        self.passages = {each.id: each for each in passages}

    async def get(self, scope: Scope, ids: list[str]) -> dict[str, Passage]:
        found = {id: self.passages[id] for id in ids if id in self.passages}
        return {id: each for id, each in found.items() if each.collection in scope.collections}


def reading(world: World, shelf: Shelf, *rules: Visible) -> FootnoteReading:
    """The use case over the desk's record."""
    access = FixedAccess(rules or (Visible("docs"), Visible("wiki")))
    return FootnoteReading(MemoryTurnRecord(world.record), access, world.catalog, shelf)  # type: ignore[arg-type]


async def test_a_footnote_opens_the_passage_around_its_quoted_words() -> None:
    cited = passage("a", text="Read this first. The upgrade takes 45 minutes. Then rest. <!channel>")
    async with open_desk(Building(Cast(searcher=ListedSearcher([[cited]])))) as world:
        turn = await world.desk.ask(said("How long?"))
        opened = await reading(world, Shelf(cited)).open(turn.id, 1, HERE)
        assert opened.citation.title == "Title a"
        assert "Read this first." in opened.before + opened.quoted
        assert "Then rest." in opened.quoted + opened.after
        assert "<!channel>" not in opened.before + opened.quoted + opened.after


async def test_what_a_reader_may_not_read_and_what_is_gone_are_told_alike() -> None:
    cited = passage("a")
    async with open_desk(Building(Cast(searcher=ListedSearcher([[cited]])))) as world:
        turn = await world.desk.ask(said("How long?"))
        hidden = Visible("docs", everyone=False)
        sentences = set()
        for use in (reading(world, Shelf(cited), hidden, Visible("wiki")), reading(world, Shelf())):
            with pytest.raises(InputError) as caught:
                await use.open(turn.id, 1, HERE)
            sentences.add(caught.value.user_message("en"))
        assert len(sentences) == 1


@pytest.mark.parametrize("number", [0, 2, 99])
async def test_a_footnote_that_is_not_there_is_told(number: int) -> None:
    async with open_desk(Building(Cast(searcher=ListedSearcher([[passage("a")]])))) as world:
        turn = await world.desk.ask(said("How long?"))
        for turn_id in (turn.id, "gone"):
            with pytest.raises(InputError):
                await reading(world, Shelf(passage("a"))).open(turn_id, number, HERE)


async def test_a_footnote_of_an_answer_that_was_not_found_opens_its_nearest_document() -> None:
    near = passage("a")
    cast = Cast(searcher=ListedSearcher([[near]]), grader=LabelGrader(default="incorrect"))
    async with open_desk(Building(cast)) as world:
        turn = await world.desk.ask(said("How long?"))
        assert turn.answer is not None
        assert [each.document_id for each in turn.answer.nearest] == [near.document_id]
        opened = await reading(world, Shelf(near)).open(turn.id, 1, HERE)
        assert opened.citation.document_id == near.document_id
