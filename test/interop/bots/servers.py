"""A bot of discord.py that changes the members and messages of its server, and prints what it sees."""
import asyncio
import datetime
import os

import discord

from addresses import use_service

use_service()


class Bot(discord.Client):
    async def on_ready(self):
        try:
            await self.work(self.guilds[0])
        except Exception as error:
            print(repr(error))
        await self.close()

    async def work(self, guild):
        lounge = guild.voice_channels[0]
        print(lounge.name, lounge.bitrate)
        channel = guild.get_channel(100000000000004001)
        message = await channel.send("hello")
        print(message.content, message.author == self.user)
        await message.edit(content="edited")
        await message.add_reaction("\N{THUMBS UP SIGN}")
        found = await channel.fetch_message(message.id)
        print(found.content, found.reactions[0].count)
        ada = guild.get_member(100000000000003001)
        alan = guild.get_member(100000000000003003)
        try:
            await alan.timeout(datetime.timedelta(minutes=1))
        except discord.Forbidden as error:
            print("Forbidden", error.code)
        await ada.edit(nick="Countess")
        print((await guild.fetch_member(100000000000003001)).nick)
        await alan.ban(reason="spam", delete_message_days=1)
        async for ban in guild.bans():
            print("banned", ban.user.name, ban.reason)
        reply = await message.reply("again")
        print("reply to", reply.reference.resolved.content)
        print("purged", len(await channel.purge(limit=10)))
        print("found", [member.name for member in await guild.query_members(user_ids=[100000000000003002])])
        hidden = {
            guild.default_role: discord.PermissionOverwrite(view_channel=False),
            guild.me.top_role: discord.PermissionOverwrite(view_channel=True),
        }
        ticket = await guild.create_text_channel("ticket", overwrites=hidden)
        print(ticket.overwrites_for(guild.me.top_role).view_channel, guild.get_channel(ticket.id) is not None)
        await ticket.delete()
        print([channel.name for channel in await guild.fetch_channels()])


intents = discord.Intents.all()
Bot(intents=intents).run(os.environ["BOT_TOKEN"], log_handler=None)
