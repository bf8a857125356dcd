"""Which corrections may go into a collection of corrections: only what nobody new gets to read by it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.access import Visible

Takes = Callable[[Sequence[str]], bool]
"""Whether a correction about these collections may be kept."""


def is_no_wider(rule: Visible, than: Visible) -> bool:
    """Whether everybody who reads by the first rule may read by the second, too; in doubt they may not."""
    if rule.external and not than.external:
        return False
    if than.everyone or rule.everyone:
        return than.everyone
    return (
        rule.channels <= than.channels
        and rule.roles <= than.roles
        and rule.workspaces <= than.workspaces
        and rule.users <= than.users
    )


def taking(name: str, rules: Mapping[str, Visible]) -> Takes:
    """What the collection of this name takes; a collection that is not configured any more hides what was about it."""

    def takes(about: Sequence[str]) -> bool:
        return all(each in rules and is_no_wider(rules[name], rules[each]) for each in about)

    return takes
