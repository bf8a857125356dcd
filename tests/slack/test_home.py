"""The app's own tabs: what each person sees of Home, questions to begin with, titles of threads."""

from __future__ import annotations

from typing import Any

import pytest

from tests.slack.conftest import Opens
from tests.slack.test_commands import guarded, told
from tests.slack.town import LEAVE, Town
from tests.slack_server import AppConfig, User

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def home_of(town: Town, user: User) -> str:
    """What stands on their Home, opened now."""
    before = len(town.slack.called("views.publish"))
    town.slack.open_home(user)
    await town.slack.until(lambda: len(town.slack.called("views.publish")) > before, 10)
    view = town.slack.home_of(user)
    assert view is not None
    return str(view.body["blocks"])


async def test_home_shows_what_there_is_and_what_its_viewer_asked(town: Town) -> None:
    empty = await home_of(town, town.ana)
    assert "handbook" in empty
    assert "/refdesk reindex" in empty
    assert "Nothing yet." in empty
    await town.answered(town.ask("how many days of annual leave?"))
    await told(town, "ask how often is the database backed up?")
    await town.calm(0.3)  # an answer is shown before it is on record
    seen = await home_of(town, town.ana)
    assert LEAVE in seen
    assert "slack.com/archives/" in seen
    assert seen.index("backed up") < seen.index("annual leave")
    assert LEAVE not in await home_of(town, town.ben)
    assert not town.slack.refused()


async def test_admins_see_how_things_stand(town: Town) -> None:
    root = town.slack.user("Root", admin=True)
    seen = await home_of(town, root)
    assert "How things stand" in seen
    assert "Slack: connected since" in seen
    assert "How things stand" not in await home_of(town, town.ana)


async def test_home_names_nothing_that_is_hidden_and_no_answer_from_it_any_more(opens: Opens, home: Any) -> None:
    async with opens(collections=guarded(home.folder)) as town:
        groups = town.slack.workspace.groups
        groups["S0OPS"] = [town.ben.id]
        await told(town, "ask how often is the database backed up?", town.ben)
        await town.calm(0.3)
        assert "backed up every six hours" in await home_of(town, town.ben)
        assert "runbooks" not in await home_of(town, town.ana)
        groups["S0OPS"] = []
        town.service.slack.people._groups._values.clear()  # type: ignore[union-attr]  # ten minutes later
        later = await home_of(town, town.ben)
        assert "every six hours" not in later
        assert "not readable any more" in later


async def test_the_messages_tab_offers_questions_from_what_one_may_read(town: Town) -> None:
    town.slack.open_home(town.ana, "messages")
    dm = town.slack.dm(town.ana)
    prompts = await town.slack.until(lambda: town.slack.prompts.get((dm.id, "")), 10)
    assert 1 <= len(prompts) <= 4
    assert all(each["title"] and each["message"] for each in prompts)
    assert not town.slack.refused()


async def test_the_older_assistant_pane_gets_them_in_its_thread(opens: Opens) -> None:
    async with opens() as town:
        town.slack.app = AppConfig(agent_view=False)
        root = town.slack.open_assistant(town.ana, town.general)
        await town.slack.until(lambda: town.slack.prompts.get((root.channel, root.ts)), 10)
        asked = town.slack.say(root.channel, town.ana, "how many days of annual leave?", thread_ts=root)
        assert LEAVE in (await town.answered(asked)).words
        title = await town.slack.until(lambda: town.slack.titles.get((root.channel, root.ts)), 10)
        assert title == "how many days of annual leave?"
