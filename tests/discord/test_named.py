"""The name of a thread says what its question says, as long as that stands."""

from __future__ import annotations

from tests.discord.town import Town
from tests.discord_server.faults import Fault

QUESTION = "how many days of annual leave?"
SECOND = "how often is the database backed up?"


async def test_a_thread_goes_with_its_deleted_question_when_nothing_else_stands_in_it(town: Town) -> None:
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    town.ana.deletes(asked)
    await town.discord.until(lambda: not town.general.threads)


async def test_a_thread_that_others_wrote_in_loses_its_name_with_its_question(town: Town) -> None:
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    thread = town.thread(asked)
    town.ben.says(thread, "Thanks, that helps me too.")
    town.ana.deletes(asked)
    await town.discord.until(lambda: thread.model.name == "Question")
    assert len([each for each in town.general.threads if each.id == thread.id]) == 1


async def test_where_we_may_delete_no_thread_it_loses_its_name(town: Town) -> None:
    town.discord.faults.append(Fault(403, 50013, method="DELETE", path="/channels/*"))
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    town.ana.deletes(asked)
    await town.discord.until(lambda: town.thread(asked).model.name == "Question")


async def test_an_edited_question_gives_its_thread_its_name(town: Town) -> None:
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    assert town.thread(asked).model.name == QUESTION
    town.ana.edits(asked, f"{town.us} {SECOND}")
    await town.discord.until(lambda: town.thread(asked).model.name == SECOND)


async def test_a_thread_of_somebody_else_keeps_its_name(town: Town) -> None:
    asked = town.ana.says(town.general, "Something about leave")
    thread = town.ana.opens(asked, "Mine")
    question = town.ask(QUESTION, thread)
    await town.answered(thread.id)
    town.ana.deletes(question)
    await town.discord.until(lambda: not town.ours(thread.id))
    town.ana.deletes(asked)
    await town.calm(0.3)
    assert thread.model.name == "Mine"
