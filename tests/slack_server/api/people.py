"""auth, users, user groups, bots, team and reactions."""

from __future__ import annotations

from tests.slack_server.api.asking import Answer, Asking
from tests.slack_server.refusing import ApiError
from tests.slack_server.shapes import team_shape, user_shape


def auth_test(call: Asking) -> Answer:
    """auth.test"""
    workspace = call.world.workspaces[call.install.workspace]
    return {
        "url": f"https://{workspace.domain}.slack.com/",
        "team": workspace.name,
        "user": call.bot.name,
        "team_id": workspace.id,
        "user_id": call.install.user,
        "bot_id": call.install.bot_id,
        "is_enterprise_install": False,
    }


def info(call: Asking) -> Answer:
    """users.info"""
    return {"user": user_shape(call.user(), call.install.workspace)}


def listed(call: Asking) -> Answer:
    """users.list"""
    found = [each for each in call.world.users.values() if each.workspace == call.install.workspace]
    page, more = call.page(sorted(found, key=lambda each: each.id), 1000, 1000)
    return {"members": [user_shape(each, call.install.workspace) for each in page], **more}


def groups(call: Asking) -> Answer:
    """usergroups.list"""
    found = call.world.workspaces[call.install.workspace].groups
    return {"usergroups": [{"id": id_, "handle": id_.lower(), "user_count": len(who)} for id_, who in found.items()]}


def group_users(call: Asking) -> Answer:
    """usergroups.users.list"""
    found = call.world.workspaces[call.install.workspace].groups.get(call.args.need("usergroup"))
    if found is None:
        raise ApiError("no_such_subteam")
    return {"users": found}


def bot(call: Asking) -> Answer:
    """bots.info"""
    found = next((each for each in call.world.users.values() if each.bot_id == call.args.need("bot")), None)
    if found is None:
        raise ApiError("bot_not_found")
    return {"bot": {"id": found.bot_id, "app_id": found.app_id, "user_id": found.id, "name": found.real_name}}


def team(call: Asking) -> Answer:
    """team.info"""
    return {"team": team_shape(call.world.workspaces[call.install.workspace])}


def react(call: Asking) -> Answer:
    """reactions.add"""
    message = call.message(call.channel(), "timestamp")
    by = message.reactions.setdefault(call.args.need("name", "invalid_name"), [])
    if call.install.user in by:
        raise ApiError("already_reacted")
    by.append(call.install.user)
    call.stage.sign("reaction", message.channel, message.root)
    return {}


def unreact(call: Asking) -> Answer:
    """reactions.remove"""
    message = call.message(call.channel(), "timestamp")
    by = message.reactions.get(call.args.need("name", "invalid_name"), [])
    if call.install.user not in by:
        raise ApiError("no_reaction")
    by.remove(call.install.user)
    return {}
