"""A ticket bot of discord.py: it opens a thread for a message that asks for help, and archives it when it is done."""

import os

import discord

from addresses import use_service

use_service()
client = discord.Client(intents=discord.Intents.all())


@client.event
async def on_ready():
    print('ready', flush=True)


@client.event
async def on_message(message):
    if message.author.bot:
        return
    if message.content == '!help':
        thread = await message.create_thread(
            name=f'ticket-{message.author.name}', auto_archive_duration=60
        )
        await thread.add_user(message.author)
        first = await thread.send('What happened?')
        await first.pin()
    elif message.content == '!done':
        members = await message.channel.fetch_members()
        await message.channel.send(f'Closed for {len(members)}')
        await message.channel.edit(locked=True, archived=True)


client.run(os.environ['BOT_TOKEN'], log_handler=None)
