"""Settings from chat: who may, what may be named, and what holds then."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace

import pytest

from adapters.clock import SystemClock
from adapters.memory.settings import MemorySettings
from core.access import Visible
from core.access_commands import Named, Person, Staff
from core.channels import Channel, Setting, Told
from core.desk.reading import ChannelAccess
from core.desk.settings import HINT_LIMIT, ChannelSettings, Inquiry
from core.errors import AccessDenied, InputError, StoreError
from core.etiquette import Rules
from core.messages import Audience, SessionKey

OPS = "slack/T1/C1"
RULES = (
    Visible("handbook", external=True),
    Visible("runbooks"),
    Visible("salaries", everyone=False, roles=frozenset({"S1"})),
)
ADMIN = Person("slack", "T1", "U1", frozenset({"S1"}))
IN_PRIVATE = Audience("slack", "T1", "C1", "U1", frozenset({"S1"}))
ASKED = Inquiry(ADMIN, IN_PRIVATE, OPS)
CHANNEL = Audience("slack", "T1", "C1")


@dataclass
class Office:
    """The use case over a store in memory."""

    store: MemorySettings = dataclasses.field(default_factory=MemorySettings)

    def __post_init__(self) -> None:
        self.access = ChannelAccess(RULES, self.store)
        staff = Staff(Named(frozenset({"slack/T1/U1", "slack/T1/U2"})))
        self.use = ChannelSettings(self.store, self.store, self.access, staff, SystemClock())

    async def here(self, audience: Audience = CHANNEL) -> set[str]:
        """What may be read."""
        return set((await self.access.readable(audience)).collections)


@pytest.fixture
def office() -> Office:
    return Office()


async def test_only_admins_may_look_and_set(office: Office) -> None:
    member = replace(ASKED, person=Person("slack", "T1", "U9"))
    for work in (office.use.view(member), office.use.set_mode(member, "auto"), office.use.changes(member)):
        with pytest.raises(AccessDenied):
            await work
    assert await office.store.version() == 0


async def test_a_collection_is_shown_hidden_and_put_back(office: Office) -> None:
    assert await office.here() == {"handbook", "runbooks"}
    await office.use.set_visible(ASKED, ["salaries"], True)
    assert await office.here() == {"handbook", "runbooks", "salaries"}
    await office.use.set_visible(ASKED, ["salaries"], None)
    await office.use.set_visible(ASKED, ["runbooks"], False)
    assert await office.here() == {"handbook"}
    assert await office.here(replace(CHANNEL, channel="C2")) == {"handbook", "runbooks"}
    view = await office.use.set_visible(ASKED, ["runbooks"], True)  # who hid it can name it still
    assert view.set == Channel(shown=frozenset({"runbooks"}))
    assert await office.here() == {"handbook", "runbooks"}


async def test_what_is_shown_in_chat_is_not_shown_to_readers_from_outside(office: Office) -> None:
    await office.use.set_visible(ASKED, ["salaries"], True)
    await office.use.set_visible(ASKED, ["handbook"], True)
    assert await office.here(replace(CHANNEL, external=True)) == {"handbook"}


@pytest.mark.parametrize("audience", [CHANNEL, Audience("slack", "T1", "C1", "U2")])
async def test_nobody_gives_away_or_hears_of_what_the_readers_of_the_reply_may_not_read(
    office: Office, audience: Audience
) -> None:
    await office.use.set_defaults(ASKED, ["salaries", "runbooks"])
    await office.use.set_hint(ASKED, "salaries", "Pay.")
    inquiry = replace(ASKED, audience=audience)
    for name in ("salaries", "never-there"):
        for work in (
            office.use.set_visible(inquiry, [name], True),
            office.use.set_defaults(inquiry, [name]),
            office.use.set_hint(inquiry, name, "x"),
        ):
            with pytest.raises(InputError) as caught:
                await work
            assert caught.value.user_message("en") == (
                f"There is no collection {name} here; there are: handbook, runbooks."
            )
    seen = (await office.use.view(inquiry), await office.use.changes(inquiry))
    assert "salaries" not in repr(seen)
    assert seen[0].set.defaults == ("runbooks",)


async def test_mode_and_defaults_hold_in_their_channel_alone(office: Office) -> None:
    await office.use.set_mode(ASKED, "mention")
    view = await office.use.set_defaults(ASKED, ["runbooks", "handbook", "runbooks"])
    assert view.set == Channel("mention", ("runbooks", "handbook"))
    key = SessionKey("slack", "T1", "C1", "t")
    assert (await office.access.rules(key)).mode == "mention"
    assert await office.access.rules(replace(key, channel="C2")) == Rules()
    assert await office.access.defaults(CHANNEL) == ("runbooks", "handbook")
    assert await office.access.defaults(replace(CHANNEL, channel="C2")) == ()
    assert (await office.use.set_mode(ASKED, None)).set.mode is None


async def test_a_hint_is_one_line_and_not_endless(office: Office) -> None:
    view = await office.use.set_hint(ASKED, "handbook", " Leave,\n  travel\u202e ")
    assert view.hints == (("handbook", "Leave, travel\\u202e"),)
    assert await office.access.hints() == {"handbook": "Leave, travel\\u202e"}
    with pytest.raises(InputError) as caught:
        await office.use.set_hint(ASKED, "handbook", "x" * (HINT_LIMIT + 1))
    assert str(HINT_LIMIT) in caught.value.user_message("ko")
    assert (await office.use.set_hint(ASKED, "handbook", " ")).hints == ()


@pytest.mark.parametrize("channel", ["", "#general", "slack/C1", "slack/T1/", "slack/T1/C 1", "slack/T1/C1/t"])
async def test_a_channel_is_named_by_its_id(office: Office, channel: str) -> None:
    with pytest.raises(InputError) as caught:
        await office.use.set_mode(replace(ASKED, channel=channel), "auto")
    assert "slack/T01/C42" in caught.value.user_message("en")


async def test_who_set_what_is_on_record(office: Office) -> None:
    await office.use.set_mode(ASKED, "auto")
    await office.use.set_visible(replace(ASKED, person=Person("slack", "T1", "U2")), ["runbooks"], False)
    said = [(each.by, each.name, each.value, each.collection) for each in await office.use.changes(ASKED)]
    assert said == [
        ("slack/T1/U2", "visibility", ("hidden",), "runbooks"),
        ("slack/T1/U1", "mode", ("auto",), ""),
    ]


async def test_all_channels_that_anything_is_set_for(office: Office) -> None:
    for channel in ("slack/T1/C2", OPS, "slack/T1/C3"):
        await office.use.set_mode(replace(ASKED, channel=channel), "auto")
    await office.use.set_mode(replace(ASKED, channel="slack/T1/C3"), None)
    assert [view.channel for view in await office.use.everywhere(ASKED)] == [OPS, "slack/T1/C2"]


async def test_a_store_that_cannot_be_asked_lets_nobody_read() -> None:
    class Gone(MemorySettings):
        async def version(self) -> int:
            raise StoreError(path="x", what="gone")

    with pytest.raises(StoreError):
        await ChannelAccess(RULES, Gone()).readable(CHANNEL)


async def test_the_store_is_read_only_when_something_was_said() -> None:
    class Counting(MemorySettings):
        reads = 0

        async def said(self) -> Told:
            self.reads += 1
            return await super().said()

    store = Counting()
    access = ChannelAccess(RULES, store)
    for _ in range(3):
        await access.readable(CHANNEL)
    assert store.reads == 0
    await store.put(Setting(OPS, "mode", ("auto",), "slack/T1/U1", SystemClock().now()))
    for _ in range(3):
        await access.defaults(CHANNEL)
    assert store.reads == 1
