"""Threads of Discord as documents: what is in them, what is left out, and what is asked of Discord for it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from adapters.discord.source.threads import Limits
from tests.discord.reading import DAY, NOW, source, texts
from tests.discord_server.server import DiscordServer


async def test_a_thread_is_a_document_with_its_starter_and_the_names_people_see(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme = server.world.guild("Acme")
    general, alice, ben = acme.text("general"), acme.person("Alice Kim"), acme.person("Ben")
    ops = acme.role("ops")
    with server.world.at(DAY):
        asked = alice.says(general, f"How do I deploy, {ben.mention}? <@&{ops.id}> {general.mention} <:ship:1>")
        thread = alice.opens(asked, "Deploying")
        answer = ben.says(thread, "Press the **button** `<@1>`.", files=[("button.png", b"x")])
        ben.says(thread, "<t:1777777777:R> at the latest", reply_to=answer)
    made = source(server, tmp_path, general)
    (entry,) = (await made.list()).entries
    assert entry.id == f"{general.id}/{thread.id}.md"
    assert entry.link == f"https://discord.com/channels/{acme.id}/{thread.id}"
    assert entry.modified == DAY + timedelta(seconds=4)
    assert (await made.fetch(entry)).decode() == (
        '---\ntitle: "Deploying"\nupdated: "2026-05-01"\ndate: "2026-05-01"\n---\n\n#general\n\n'
        "**Alice Kim:** How do I deploy, @Ben? @ops #general :ship:\n\n"
        "**Ben:** Press the **button** `<@1>`.\n\n📎 button.png\n\n"
        "**Ben:** 2026-05-03 03:09 UTC at the latest\n"
    )


async def test_a_post_keeps_its_tags_and_archived_ones_are_read_too(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    forum, alice, ben = acme.forum("help", ["billing", "solved"]), acme.person("Alice"), acme.person("Ben")
    for number in range(130):
        with server.world.at(DAY + timedelta(minutes=number)):
            post = alice.posts(forum, f"Post {number}", "How long does a refund take?", ["solved", "billing"])
            ben.says(post, "Nine days.")
            post.archive()
    still_open = alice.posts(forum, "Open", "And today?")
    ben.says(still_open, "Ten.")
    found = await texts(source(server, tmp_path, forum))
    assert len(found) == 131
    assert (
        "#help · billing · solved\n\n**Alice:** How long does a refund take?\n\n**Ben:** Nine days." in found["Post 7"]
    )


async def test_bots_webhooks_and_notes_of_discord_are_left_out(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general, alice, ben = acme.text("general"), acme.person("Alice"), acme.person("Ben")
    other, us = acme.person("Buildbot", bot=True), server.world.bot
    with server.world.at(DAY):
        thread = alice.opens(alice.says(general, f"{us.mention} where is the log?"), "Where is the log?")
        us.says(thread, "In /var/log, I suppose.")
        other.says(thread, "Build 17 failed.")
        ben.says(thread, "It is in the cloud, not in /var.")
        hook = server.backend.create_webhook(general.id, "Bridge", alice.id)
        server.backend.create_message(thread.id, hook.webhook_user_id, "bridged words", webhook_id=hook.id)
    text = (await texts(source(server, tmp_path, general)))["Where is the log?"]
    assert text.endswith("**Alice:** @TestBot where is the log?\n\n**Ben:** It is in the cloud, not in /var.\n")


async def test_a_question_that_only_the_bot_has_answered_teaches_nothing(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    with server.world.at(DAY):
        thread = alice.opens(alice.says(general, "Where is the log?"), "Where is the log?")
        server.world.bot.says(thread, "In /var/log.")
        alice.says(thread, "thanks")
    made = source(server, tmp_path, general)
    listing = await made.list()
    assert (listing.entries, listing.complete, listing.problems) == ((), True, ())
    server.calls.clear()
    await made.list()
    assert server.called("GET", "/channels/*/messages") == []


async def test_a_starter_that_was_deleted_or_never_was_keeps_nothing_back(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme = server.world.guild("Acme")
    general, alice, ben = acme.text("general"), acme.person("Alice"), acme.person("Ben")
    with server.world.at(DAY):
        gone = alice.says(general, "secret?")
        bereft = alice.opens(gone, "Bereft")
        bare = ben.opens_alone(general, "Bare")
        for thread in (bereft, bare):
            alice.says(thread, "Question")
            ben.says(thread, "Answer")
        alice.deletes(gone)
    found = await texts(source(server, tmp_path, general))
    assert set(found) == {"Bereft", "Bare"}
    assert all("**Alice:** Question\n\n**Ben:** Answer" in text and "secret" not in text for text in found.values())


async def test_answered_threads_come_first_when_there_are_too_many_and_old_ones_not_at_all(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme = server.world.guild("Acme")
    forum, alice, ben = acme.forum("help", ["Solved ✔"]), acme.person("Alice"), acme.person("Ben")
    for name, days, tags, replies in (
        ("silent", 1, [], 0),
        ("young", 2, [], 1),
        ("older", 5, [], 2),
        ("marked", 9, ["Solved ✔"], 1),
        ("ancient", 400, [], 3),
    ):
        with server.world.at(NOW - timedelta(days=days)):
            post = alice.posts(forum, name, "a long how-to " * 40, tags)
            for _ in range(replies):
                ben.says(post, "An answer.")
            if days > 300:
                post.archive()
    made = source(server, tmp_path, forum, limits=Limits(threads=3))
    assert set(await texts(made)) == {"marked", "young", "older"}
    assert [(p.reason, p.detail) for p in (await made.list()).problems] == [("parse.note_threads_limit", "1")]
    assert set(await texts(source(server, tmp_path, forum))) == {"silent", "young", "older", "marked"}


async def test_only_what_has_changed_is_read_again_and_what_is_gone_is_forgotten(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme = server.world.guild("Acme")
    forum, alice, ben = acme.forum("help"), acme.person("Alice"), acme.person("Ben")
    posts = []
    for number in range(5):
        with server.world.at(DAY + timedelta(hours=number)):
            posts.append(alice.posts(forum, f"Post {number}", "Why?"))
            ben.says(posts[-1], "Because.")
    made = source(server, tmp_path, forum)
    before = {entry.id: entry.fingerprint for entry in (await made.list()).entries}
    assert len(server.called("GET", "/channels/*/messages")) == 5
    server.calls.clear()
    assert {entry.id: entry.fingerprint for entry in (await made.list()).entries} == before
    assert server.called("GET", "/channels/*/messages") == []
    assert len(server.calls) <= 8
    with server.world.at(DAY + timedelta(days=1)):
        ben.says(posts[0], "And besides.")
        posts[1].rename("Post one")
        ben.deletes(posts[2].messages[-1])
        posts[3].delete()
    after = {entry.id: entry.fingerprint for entry in (await made.list()).entries}
    changed = {id_ for id_ in before.keys() | after.keys() if before.get(id_) != after.get(id_)}
    assert changed == {f"{forum.id}/{post.id}.md" for post in posts[:4]}
    assert len(server.called("GET", "/channels/*/messages")) == 3
    assert len(list(tmp_path.iterdir())) == 4


async def test_an_edit_is_seen_the_next_day_in_a_young_thread_and_within_the_month_in_an_old_one(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme = server.world.guild("Acme")
    forum, alice, ben = acme.forum("help"), acme.person("Alice"), acme.person("Ben")
    answers = []
    for name, days in (("young", 2), ("old", 100)):
        with server.world.at(NOW - timedelta(days=days)):
            answers.append(ben.says(alice.posts(forum, name, "Which port?"), "Port 80."))
    await source(server, tmp_path, forum).list()
    for answer in answers:
        ben.edits(answer, "Port 443.")

    async def seen(days: int) -> set[str]:
        found = await texts(source(server, tmp_path, forum, now=lambda: NOW + timedelta(days=days)))
        return {title for title, text in found.items() if "443" in text}

    assert await seen(0) == set()
    assert "young" in await seen(1)
    assert await seen(30) == {"young", "old"}


async def test_long_threads_are_read_to_their_end(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    forum, alice, ben = acme.forum("help"), acme.person("Alice"), acme.person("Ben")
    with server.world.at(DAY):
        post = alice.posts(forum, "Long", "Count!")
        for number in range(1, 251):
            ben.says(post, f"This is number {number}.")
    text = (await texts(source(server, tmp_path, forum)))["Long"]
    numbers = [line.rsplit(" ", 1)[1] for line in text.split("\n") if "This is number" in line]
    assert numbers == [f"{number}." for number in range(1, 251)]
    tiny = source(server, tmp_path / "tiny", forum, limits=Limits(bytes=2000))
    assert [(p.document, p.reason) for p in (await tiny.list()).problems] == [
        (f"{forum.id}/{post.id}.md", "parse.too_large")
    ]


async def test_a_thread_in_which_all_was_deleted_is_no_document_and_no_failure(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme = server.world.guild("Acme")
    forum, alice, ben = acme.forum("help"), acme.person("Alice"), acme.person("Ben")
    with server.world.at(DAY):
        post = alice.posts(forum, "Regretted", "Which port?")
        ben.says(post, "Port 80.")
    made = source(server, tmp_path, forum)
    assert len((await made.list()).entries) == 1
    for message in post.messages:
        alice.deletes(message)
    listing = await made.list()
    assert (listing.entries, listing.complete, listing.problems) == ((), True, ())
