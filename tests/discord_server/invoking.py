"""What people do with commands, buttons and forms: the interaction that reaches the bot, and how it was answered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcord.backend import Backend, serializers
from simcord.backend.command_access import command_access
from simcord.backend.models import Interaction, Message
from simcord.components import walk_components
from simcord.enums import AppCommandType, ComponentType, InteractionType, OptionType
from simcord.interactions import base_payload, nest_options, walk_to_subcommand

if TYPE_CHECKING:
    from tests.discord_server.people import Person
    from tests.discord_server.places import Place

_RESOLVED = {OptionType.USER: "users", OptionType.ROLE: "roles", OptionType.CHANNEL: "channels"}


@dataclass(frozen=True, slots=True)
class Invocation:
    """An interaction and what the bot has made of it so far; `record` is simcord's."""

    backend: Backend
    record: Interaction

    @property
    def message(self) -> Message | None:
        """The first answer: the message sent, or the deferred one with what was written into it."""
        return self.backend.messages.get(self.record.channel_id, {}).get(self.record.message_id or 0)

    @property
    def followups(self) -> list[Message]:
        """Further answers."""
        kept = self.backend.messages.get(self.record.channel_id, {})
        return [kept[id_] for id_ in self.record.followup_ids if id_ in kept]

    @property
    def is_private(self) -> bool:
        """Whether only the person sees the first answer."""
        return self.record.ephemeral

    @property
    def choices(self) -> list[str]:
        """The names offered for completion."""
        return [choice["name"] for choice in self.record.autocomplete_choices or ()]

    async def acknowledged(self, seconds: float = 3.0) -> Invocation:
        """Wait until the bot has answered in any way; raises TimeoutError as Discord gives up."""
        return await self.until(lambda: self.record.responded, seconds)

    async def answered(self, seconds: float = 5.0) -> Invocation:
        """Wait until there is a message to read."""
        return await self.until(lambda: self.message is not None and not self.record.loading, seconds)

    async def until(self, holds: Any, seconds: float) -> Invocation:
        """Wait until something holds."""
        pause = 0.005
        async with asyncio.timeout(seconds):
            while not holds():
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, 0.05)  # hundreds may be waiting
        return self


def slash(person: Person, place: Place, command: str, given: dict[str, Any]) -> Invocation:
    """A slash command; raises LookupError for one that is not there for this person."""
    data = _command(person, place, command, given)
    return _sent(person, place.id, InteractionType.APPLICATION_COMMAND, data)


def completes(person: Person, place: Place, command: str, given: dict[str, Any], focused: str) -> Invocation:
    """The same, half typed."""
    data = _command(person, place, command, given, focused)
    return _sent(person, place.id, InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, data)


def chooses(person: Person, message: Message, command: str) -> Invocation:
    """A command of a message's menu."""
    backend = person.backend
    root = _root(person, message.channel_id, command, AppCommandType.MESSAGE)
    data = {
        "id": root["id"],
        "name": root["name"],
        "type": AppCommandType.MESSAGE,
        "target_id": str(message.id),
        "resolved": {"messages": {str(message.id): dict(serializers.message_payload(backend, message))}},
    }
    return _sent(person, message.channel_id, InteractionType.APPLICATION_COMMAND, data)


def clicks(person: Person, message: Message, custom_id: str) -> Invocation:
    """A button; raises LookupError when the message has none of this id that can be pressed."""
    found = [each for each in walk_components(message.components) if each.get("custom_id") == custom_id]
    if not found or found[0].get("disabled"):
        raise LookupError(f"no button {custom_id} to press")
    data = {"custom_id": custom_id, "component_type": ComponentType.BUTTON, "id": found[0].get("id", 0)}
    return _sent(person, message.channel_id, InteractionType.MESSAGE_COMPONENT, data, message)


def submits(person: Person, shown: Invocation, values: dict[str, str]) -> Invocation:
    """A form, filled in."""
    modal, channel, source = shown.record.modal, shown.record.channel_id, shown.record.source_message_id
    if modal is None:
        raise LookupError("no form was shown")
    data = {"custom_id": modal["custom_id"], "components": [_filled(each, values) for each in modal["components"]]}
    message = person.backend.get_message(channel, source) if source is not None else None
    return _sent(person, channel, InteractionType.MODAL_SUBMIT, data, message)


def _filled(component: dict[str, Any], values: dict[str, str]) -> dict[str, Any]:
    if "component" in component:
        return {**component, "component": _filled(component["component"], values)}
    if "components" in component:
        return {**component, "components": [_filled(each, values) for each in component["components"]]}
    return {**component, "value": values.get(component.get("custom_id", ""), "")}


def _command(person: Person, place: Place, command: str, given: dict[str, Any], focused: str = "") -> dict[str, Any]:
    name, *path = command.split()
    root = _root(person, place.id, name, AppCommandType.CHAT_INPUT)
    leaf, nesting = walk_to_subcommand(root, path)
    declared = {option["name"]: option for option in leaf.get("options") or ()}
    options, resolved = [], dict[str, dict[str, Any]]()
    for key, value in given.items():
        kind = declared[key]["type"]
        option: dict[str, Any] = {"name": key, "type": kind, "value": value}
        if kind in _RESOLVED:
            option["value"] = str(value.id)
            resolved.setdefault(_RESOLVED[kind], {})[str(value.id)] = _resolved(person, kind, value.id)
        options.append(option | ({"focused": True} if key == focused else {}))
    data = {"id": root["id"], "name": root["name"], "type": AppCommandType.CHAT_INPUT}
    data["options"] = nest_options(root, nesting, options)
    return data | ({"resolved": resolved} if resolved else {})


def _resolved(person: Person, kind: int, id_: int) -> dict[str, Any]:
    backend = person.backend
    if kind == OptionType.USER:
        return dict(serializers.user_payload(backend.get_user(id_)))
    assert person.guild is not None
    if kind == OptionType.ROLE:
        return dict(serializers.role_payload(backend.get_role(person.guild, id_)))
    payload = dict(serializers.channel_payload(backend, backend.get_channel(id_)))
    return payload | {"permissions": str(backend.compute_permissions(person.guild, person.id, id_))}


def _root(person: Person, channel: int, name: str, kind: AppCommandType) -> dict[str, Any]:
    root = person.backend.find_command(name, person.guild, kind)
    if root is None or not command_access(person.backend, root, user_id=person.id, channel_id=channel).allowed:
        raise LookupError(f"no command {name} for this person here")
    return root


def _sent(
    person: Person, channel: int, kind: InteractionType, data: dict[str, Any], source: Message | None = None
) -> Invocation:
    backend = person.backend
    guild = backend.get_channel(channel).guild_id
    record, payload = base_payload(backend, type=kind, channel_id=channel, guild_id=guild, user_id=person.id, data=data)
    if source is not None:
        record.source_message_id = source.id
        payload["message"] = dict(serializers.message_payload(backend, source))
    backend.emit("INTERACTION_CREATE", payload)
    return Invocation(backend, record)
