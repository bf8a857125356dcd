"""Discord on loopback: its REST API and its gateway over real connections, for the real discord.py client.

The world – guilds, channels, messages, permissions, limits of a message – is simcord's, which answers as Discord
does; simcord itself replaces discord.py's connections, so it can't try what goes wrong on them. Here they are real:

    async with DiscordServer() as server, pointed(server):
        acme = server.world.guild("Acme")
        general, alice = acme.text("general"), acme.person("alice")
        question = alice.says(general, "How do I deploy?")
        …  # a discord.Client started with server.token sees it, and whatever it does is in server.calls

`server.faults`, `server.limits` and `server.gateway` make Discord fail: statuses with codes, lost answers, 429 with
headers, dropped and silent connections, sessions that can't be resumed. For what happens without a network in
between – a button pressed, a view timed out – simcord's own fixture is shorter.
"""
