"""Calls of a run: counted, priced, and none beyond the budget."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from adapters.memory.chat import ScriptedChat
from core.chat import Request, Said, Usage
from core.errors import BudgetSpent, UpstreamError, UpstreamTimeout
from core.rag.ledger import Charge, Ledger, Metered, Spent
from core.rag.model.forms import Graded
from tests.rag.model.scripts import scripted

ASK = Request((Said("user", "x" * 40),), tags=("grade@abc",))


async def heard(model: Metered) -> str:
    return "".join([chunk.text async for chunk in model.stream(ASK)])


async def test_calls_are_totalled_by_model_and_by_step() -> None:
    ledger = Ledger(12)
    small = scripted('{"grades": "1:yes"}', name="small", prices=(1e-6, 2e-6))
    large = scripted("Twenty five days", name="large", prices=(1e-5, 2e-5))
    await Metered(small, ledger, "plan").structured(ASK, Graded)
    await Metered(small, ledger, "grade").structured(ASK, Graded)
    await heard(Metered(large, ledger, "generate"))
    spent = ledger.spent
    assert (spent.by_model()["small"].calls, spent.by_model()["large"].calls) == (2, 1)
    assert list(spent.by_step()) == ["plan", "grade", "generate"]
    assert (spent.total.calls, spent.total.input_tokens, spent.total.output_tokens) == (3, 30, 14)
    assert spent.total.cost == pytest.approx(2 * (10e-6 + 5 * 2e-6) + 10e-5 + 4 * 2e-5)
    assert spent.detail()["prompts"] == ["grade@abc"]


async def test_a_cost_nobody_knows_is_none_and_not_nothing() -> None:
    ledger = Ledger(None)
    await heard(Metered(scripted("yes"), ledger, "generate"))
    assert (ledger.spent.total.cost, ledger.spent.total.unpriced) == (None, 1)
    ledger.charge("check", Usage("priced", cost=0.25), 3.0)
    assert (ledger.spent.total.cost, ledger.spent.total.unpriced) == (0.25, 1)


async def test_a_spent_budget_refuses_before_anything_is_sent() -> None:
    model, ledger = scripted("yes"), Ledger(1)
    await heard(Metered(model, ledger, "generate"))
    with pytest.raises(BudgetSpent) as refused:
        await heard(Metered(model, ledger, "generate"))
    with pytest.raises(BudgetSpent):
        await Metered(model, ledger, "check").structured(ASK, Graded)
    assert (len(model.requests), ledger.calls) == (1, 1)
    assert "model calls" in refused.value.user_message("en")


async def test_calls_side_by_side_do_not_pass_the_budget_together() -> None:
    model, ledger = scripted("yes", before=0.01), Ledger(2)
    ends = await asyncio.gather(*(heard(Metered(model, ledger, "x")) for _ in range(5)), return_exceptions=True)
    assert [type(end) for end in ends].count(BudgetSpent) == 3
    assert (len(model.requests), ledger.calls) == (2, 2)


@pytest.mark.parametrize("fault", [UpstreamError(), UpstreamTimeout()])
async def test_a_call_that_fails_counts(fault: Exception) -> None:
    ledger = Ledger(2)
    with pytest.raises(UpstreamError):
        await Metered(scripted(fault), ledger, "plan").structured(ASK, Graded)
    with pytest.raises(UpstreamError):
        await heard(Metered(scripted(["The first words", fault]), ledger, "generate"))
    assert ledger.calls == 2
    assert [charge.ended for charge in ledger.spent.charges] == ["failed", "failed"]
    assert ledger.spent.detail()["lost"] == 2


async def test_what_a_failed_call_cost_is_charged_where_it_is_known() -> None:
    refused, ledger = UpstreamError(), Ledger(None)
    refused.usage = Usage("small", 100, 7, calls=2, cost=0.5)
    with pytest.raises(UpstreamError):
        await Metered(scripted(refused, name="small"), ledger, "plan").structured(ASK, Graded)
    assert (ledger.calls, ledger.spent.total.cost) == (2, 0.5)


async def test_a_stream_that_is_cancelled_in_the_middle_counts_and_is_closed() -> None:
    model, ledger = scripted("one two three four", between=5.0), Ledger(2)
    reading = asyncio.create_task(heard(Metered(model, ledger, "generate")))
    await asyncio.sleep(0.02)
    assert ledger.calls == 1  # from the moment it was made
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert (ledger.calls, ledger.spent.charges[0].ended, model.closed) == (1, "cancelled", 1)


async def test_a_reader_who_leaves_closes_the_stream() -> None:
    model, ledger = scripted("one two three"), Ledger(2)
    async with aclosing(Metered(model, ledger, "generate").stream(ASK)) as chunks:  # type: ignore[type-var]
        async for _ in chunks:
            break
    assert (ledger.calls, ledger.spent.charges[0].ended, model.closed) == (1, "cancelled", 1)


async def test_a_call_is_timed() -> None:
    ledger = Ledger(None)
    await heard(Metered(scripted("yes", before=0.02), ledger, "generate"))
    assert 15 <= ledger.spent.charges[0].milliseconds < 500


async def test_another_method_of_structured_output_is_another_call() -> None:
    ledger = Ledger(3)
    ledger.charge("plan", Usage("small", calls=3), 1.0)
    with pytest.raises(BudgetSpent):
        await heard(Metered(ScriptedChat(lambda _: "yes"), ledger, "generate"))


def test_a_run_taken_up_again_goes_on_counting() -> None:
    first = Ledger(12)
    first.charge("plan", Usage("small"), 1.0)
    before = first.spent
    resumed = Ledger(12, before)
    resumed.charge("grade", Usage("small"), 1.0)
    assert resumed.calls == 2
    assert [charge.step for charge in resumed.spent.since(before).charges] == ["grade"]
    assert before == Spent(before.charges)
    assert len(before.charges) == 1  # a snapshot does not grow


def test_a_charge_is_told_once_in_a_line_of_its_own_step_however_early_it_came() -> None:
    ledger = Ledger(12, Spent((Charge("plan", Usage("small"), 1.0),)))
    ledger.charge("generate", Usage("large"), 1.0)
    ledger.charge("grade", Usage("small"), 1.0)
    assert [charge.step for charge in ledger.untold("grade").charges] == ["grade"]
    ledger.charge("generate", Usage("large"), 2.0)
    assert [charge.milliseconds for charge in ledger.untold("generate").charges] == [1.0, 2.0]
    assert ledger.untold("generate") == ledger.untold("plan") == Spent()


def test_what_was_spent_is_told_by_model() -> None:
    ledger = Ledger(None)
    ledger.charge("plan", Usage("small", cost=0.5), 1.0)
    ledger.charge("generate", Usage("large", calls=2), 1.0)
    assert ledger.spent.detail()["models"] == {"small": {"calls": 1, "cost": 0.5}, "large": {"calls": 2, "cost": None}}
