"""A value of a schema from any server: each way of asking, what makes it go on to the next, what it remembers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.chat import Request, Said
from core.errors import UpstreamRefused
from tests.openai.asking import PROMPT, REQUEST, VALUE, Grades, small
from tests.openai_server.replies import Empty, Fail, Filtered, Malformed, Refuse, Reply, Say, Value
from tests.openai_server.server import FEATURES, Call, Manners, OpenAIServer

EXPECTED = Grades.model_validate(VALUE)


def without(*methods: str) -> Manners:
    return Manners(supports=FEATURES - set(methods))


async def test_a_server_that_knows_schemas_is_asked_once() -> None:
    async with OpenAIServer([Value(VALUE)]) as server, small(server) as chat:
        found = await chat.structured(REQUEST, Grades)
    (call,) = server.chats
    assert (found.value, found.method, found.usage.calls) == (EXPECTED, "json_schema", 1)
    assert (call.model, call.schema, call.stream) == ("small", "Grades", False)
    assert [message["role"] for message in call.messages] == ["system", "user"]


async def test_a_strict_schema_requires_every_field_and_allows_no_other() -> None:
    async with OpenAIServer([Value(VALUE)]) as server, small(server) as chat:
        await chat.structured(REQUEST, Grades)
    schema = server.chats[0].body["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["grades", "missing"]
    assert schema["$defs"]["Grade"]["required"] == ["number", "grade"]
    assert schema["additionalProperties"] is schema["$defs"]["Grade"]["additionalProperties"] is False
    assert "default" not in json.dumps(schema)


@pytest.mark.parametrize(
    ("manners", "asked", "method"),
    [
        (without("json_schema"), ["json_schema", "tools"], "tool"),
        (without("json_schema", "tools"), ["json_schema", "tools", "json_object"], "json"),
        (without("json_schema", "tools", "json_object"), ["json_schema", "tools", "json_object", ""], "json"),
        (Manners(ignores=frozenset({"json_schema"})), ["json_schema", "tools"], "tool"),
        (Manners(ignores=frozenset({"json_schema", "tools"})), ["json_schema", "tools", "json_object"], "json"),
    ],
)
async def test_a_way_that_is_refused_or_overlooked_leads_to_the_next_and_is_not_tried_again(
    manners: Manners, asked: list[str], method: str
) -> None:
    async with OpenAIServer(lambda _: Value(VALUE), manners=manners) as server, small(server) as chat:
        first = await chat.structured(REQUEST, Grades)
        second = await chat.structured(REQUEST, Grades)
    assert (first.value, first.method, first.usage.calls) == (EXPECTED, method, len(asked))
    assert (second.value, second.method, second.usage.calls) == (EXPECTED, method, 1)
    assert [call.method for call in server.chats] == [*asked, asked[-1]]


async def test_each_model_remembers_for_itself() -> None:
    async with OpenAIServer(lambda _: Value(VALUE), manners=without("json_schema")) as server:
        for _ in range(2):
            async with small(server) as chat:
                await chat.structured(REQUEST, Grades)
    assert [call.method for call in server.chats] == ["json_schema", "tools"] * 2


async def test_the_model_is_shown_the_schema_only_where_the_server_is_not() -> None:
    server = OpenAIServer(lambda _: Value(VALUE), manners=without("json_schema", "tools"))
    async with server, small(server) as chat:
        await chat.structured(REQUEST, Grades)
    systems = [call.messages[0]["content"] for call in server.chats]
    assert systems[:2] == ["You grade.", "You grade."]
    assert systems[2].startswith("You grade.")
    assert '"ambiguous"' in systems[2]
    assert [call.messages[1]["content"] for call in server.chats] == [PROMPT] * 3


async def test_one_way_can_be_demanded() -> None:
    async with OpenAIServer([Value(VALUE)]) as server, small(server, structured_method="tool") as chat:
        found = await chat.structured(Request((Said("user", "grade"),)), Grades)
    assert (found.method, [call.method for call in server.chats]) == ("tool", ["tools"])


@pytest.mark.parametrize(
    "text",
    [
        "```json\n%s\n```",
        "Here are the grades:\n%s\nI hope this helps!",
        "<think>The first {fits}, the second doesn't.</think>\n%s",
        '{"Grades": %s}',
    ],
)
async def test_what_stands_around_a_value_is_dropped(text: str) -> None:
    async with OpenAIServer([Malformed(text % json.dumps(VALUE))]) as server, small(server) as chat:
        found = await chat.structured(REQUEST, Grades)
    assert (found.value, found.usage.calls) == (EXPECTED, 1)


@pytest.mark.parametrize(
    "text",
    [
        "{'grades': [{'number': 1, 'grade': 'correct'}, {'number': 2, 'grade': 'incorrect'}]}",
        '{"grades": [{"number": 1, "grade": "correct"}, {"number": "2", "grade": "incorrect",},], "missing": "",}',
        '{grades: [{number: 1, grade: "correct"} {number: 2, grade: "incorrect"}]}',
    ],
)
async def test_slips_in_json_are_repaired(text: str) -> None:
    async with OpenAIServer([Malformed(text)]) as server, small(server) as chat:
        found = await chat.structured(REQUEST, Grades)
    assert (found.value, found.usage.calls) == (EXPECTED, 1)


async def test_a_bare_list_is_taken_for_the_only_field() -> None:
    class Names(Grades):
        """Only a list."""

        missing: Any = None

    one = json.dumps(VALUE["grades"])
    async with OpenAIServer([Malformed(one), Value(VALUE)]) as server, small(server) as chat:
        assert (await chat.structured(REQUEST, Names)).usage.calls == 2  # two fields: it might be either


@pytest.mark.parametrize(
    "unusable",
    [
        Malformed('{"grades": [{"number": 1, "grade": "correct"}, {"number": 2, "grade": "incor'),
        Malformed('{"grades": [{"number": 1, "grade": "perhaps"}]}'),
        Malformed('{"verdict": "fine"}'),
        Empty(),
    ],
)
async def test_an_unusable_value_is_asked_for_once_more_and_blames_no_way_of_asking(unusable: Reply) -> None:
    async with OpenAIServer([unusable, Value(VALUE), Value(VALUE)]) as server, small(server) as chat:
        first = await chat.structured(REQUEST, Grades)
        await chat.structured(REQUEST, Grades)
    assert (first.value, first.usage.calls) == (EXPECTED, 2)
    assert [call.method for call in server.chats] == ["json_schema", "tools", "json_schema"]


async def test_where_one_way_is_left_an_unusable_value_is_asked_for_twice_and_a_refused_request_once() -> None:
    script: list[Reply] = [Malformed('{"grades": 7}'), Value(VALUE), Fail(400)]
    async with OpenAIServer(script) as server, small(server, structured_method="tool") as chat:
        assert (await chat.structured(REQUEST, Grades)).usage.calls == 2
        with pytest.raises(UpstreamRefused, match=r"error\.model_request"):
            await chat.structured(REQUEST, Grades)
    assert [call.method for call in server.chats] == ["tools"] * 3


async def test_prose_in_every_way_is_refused_after_four_requests_and_shown_to_nobody() -> None:
    async with OpenAIServer(lambda _: Say("I rather like the first one.")) as server, small(server) as chat:
        with pytest.raises(UpstreamRefused) as caught:
            await chat.structured(REQUEST, Grades)
        assert len(server.chats) == 4
    error = caught.value
    assert error.reason == "error.model_unusable"
    assert error.usage is not None
    assert error.usage.calls == 4
    assert "rather like" not in f"{error} {error!r} {error.user_message('en')}"


async def test_when_no_way_works_none_is_given_up() -> None:
    script: list[Reply] = [Say("no"), Say("no"), Say("no"), Say("no"), Value(VALUE)]
    async with OpenAIServer(script) as server, small(server) as chat:
        with pytest.raises(UpstreamRefused):
            await chat.structured(REQUEST, Grades)
        assert (await chat.structured(REQUEST, Grades)).method == "json_schema"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Refuse(), "error.model_declined"),
        (Filtered(), "error.model_declined"),
        (Malformed('{"grades": [', finish="length"), "error.model_cut"),
        (Fail(400, code="content_filter"), "error.model_declined"),
        (Fail(400, message="This model's maximum context length is 8192 tokens"), "error.model_long"),
        (Fail(401, message="Incorrect API key provided"), "error.model_key"),
        (Fail(403), "error.model_key"),
        (Fail(402), "error.model_quota"),
        (Fail(404, code="model_not_found"), "error.model_missing"),
        (Fail(429, code="insufficient_quota"), "error.model_quota"),
    ],
)
async def test_what_no_other_way_can_mend_is_refused_at_once(reply: Reply, reason: str) -> None:
    async with OpenAIServer([reply]) as server, small(server) as chat:
        with pytest.raises(UpstreamRefused) as caught:
            await chat.structured(REQUEST, Grades)
    assert (caught.value.reason, len(server.chats)) == (reason, 1)
    assert caught.value.usage is not None
    assert caught.value.usage.calls == 1


@pytest.mark.parametrize("option", ["temperature", "max_completion_tokens"])
async def test_an_option_that_the_server_refuses_is_left_out_from_then_on(option: str) -> None:
    def picky(call: Call) -> Reply:
        if option in call.body:
            return Fail(400, message=f"Unsupported parameter: '{option}' is not supported with this model.")
        return Value(VALUE)

    request = Request(REQUEST.messages, max_tokens=77)
    async with OpenAIServer(picky) as server, small(server) as chat:
        first = await chat.structured(request, Grades)
        second = await chat.structured(request, Grades)
    assert (first.usage.calls, second.usage.calls, first.method) == (2, 1, "json_schema")
    last = server.chats[-1].body
    assert last.get("max_tokens", last.get("max_completion_tokens")) == 77


async def test_a_limit_is_sent_under_its_old_name_too_when_that_is_set() -> None:
    request = Request(REQUEST.messages, max_tokens=77)
    async with OpenAIServer([Value(VALUE)]) as server, small(server, old_max_tokens=True) as chat:
        await chat.structured(request, Grades)
    assert server.chats[0].body["max_tokens"] == server.chats[0].body["max_completion_tokens"] == 77
