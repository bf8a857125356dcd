"""What a run took, in plain words: who decided each step, calls, tokens, cost, time, and the prompts' versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.desk.trace import STEPS, Detail, Trace
from core.messages import Language
from core.wording import say

_JUDGED = ("plan", "grade", "rewrite", "generate", "check")


def spending(trace: Trace, language: Language) -> Iterable[tuple[str, str]]:
    """Lines as (label, text); an empty text is no line."""
    total = trace.total.detail if trace.total else {}
    yield "by", " · ".join(_by(step, trace, language) for step in _JUDGED if _has_decided(step, trace))
    yield "calls", _calls(total, language)
    if total.get("calls"):
        counted = {name: f"{total.get(f'{name}_tokens', 0):,}" for name in ("input", "cached", "output")}
        yield "tokens", say("why.tokens", language, **counted)
        yield "cost", _cost(total, language)
    yield "time", _time(trace, language)
    yield "prompts", ", ".join(total.get("prompts", ()))


def _has_decided(step: str, trace: Trace) -> bool:
    said = trace.last(step)
    return bool(said) and not said.get("ungraded")


def _by(step: str, trace: Trace, language: Language) -> str:
    local, model, failed = _shares(step, trace)
    name = say(f"why.step.{step}", language)
    if local and model:
        return say("why.by.both", language, step=name, local=local, model=model)
    if failed and not model:
        return say("why.by.instead", language, step=name)
    return say("why.by.model" if model else "why.by.local", language, step=name)


def _shares(step: str, trace: Trace) -> tuple[int, int, int]:
    """How often the local family decided, the model, and the local one because the model could not say."""
    decided: Mapping[str, int] = trace.last(step).get("decided", {})
    first, second, failed = (decided.get(name, 0) for name in ("first", "second", "failed"))
    if step == "generate" and decided:  # of two writers the first is the model
        return 0, first, second
    if decided:
        return first, second, failed
    paid = [detail for detail in trace.of(step) if detail.get("calls")]
    unable = [detail for detail in paid if detail.get("failed")]
    return 0, len(paid) - len(unable), len(unable)


def _calls(total: Detail, language: Language) -> str:
    if not total.get("calls"):
        return say("why.calls.none", language)
    models = ", ".join(f"{name} {spent['calls']}" for name, spent in total.get("models", {}).items())
    lost = say("why.calls.lost", language, lost=total["lost"]) if total.get("lost") else ""
    told = "; ".join(part for part in (models, lost) if part)
    return f"{total['calls']}" + (f" ({told})" if told else "")


def _cost(total: Detail, language: Language) -> str:
    cost, unpriced = total.get("cost"), total.get("unpriced", 0)
    if cost is None:
        return say("why.cost.unknown", language, models=", ".join(total.get("models", ())) or "–")
    amount = f"{cost:.2f}" if cost >= 1 else f"{cost:.6f}".rstrip("0").rstrip(".")
    return say("why.cost.least" if unpriced else "why.cost.known", language, cost=amount, unpriced=unpriced)


def _time(trace: Trace, language: Language) -> str:
    if not trace.nodes:
        return ""
    spent = trace.by_step()
    parts = [
        f"{say(f'why.step.{step}', language)} {_spoken(spent[step])}"
        for step in (*STEPS, "other")
        if spent.get(step, 0) >= 1
    ]
    return _spoken(trace.milliseconds) + (f" ({', '.join(parts)})" if parts else "")


def _spoken(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.1f} s" if milliseconds >= 1000 else f"{milliseconds:.0f} ms"
