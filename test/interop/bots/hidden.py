"""A bot of discord.py that prints the channels it knows, those it lists, and threads that it gets to see."""
import os

import discord

from addresses import use_service

use_service()


def names_of(channels):
    return " ".join(channel.name for channel in sorted(channels, key=lambda one: one.id))


class Bot(discord.Client):
    async def on_guild_channel_update(self, before, after):
        print("update", before.name, after.name, after.topic, flush=True)

    async def on_thread_join(self, thread):
        print("threads", thread.name, flush=True)

    async def on_ready(self):
        guild = self.get_guild(2001)
        print("cache", names_of(guild.channels), flush=True)
        print("list", names_of(await guild.fetch_channels()), flush=True)


Bot(intents=discord.Intents(guilds=True)).run(os.environ["BOT_TOKEN"], log_handler=None)
