"""Idioms of discord.py: views that wait, wizards of views, and events that a command waits for."""

import os
import sys

import discord
from discord import app_commands

sys.path.append(os.path.join(os.path.dirname(__file__), '..', 'bots'))
from addresses import use_service  # noqa: E402

use_service()
intents = discord.Intents.default()
intents.message_content = True
client = discord.Client(intents=intents)
tree = app_commands.CommandTree(client)


class Confirm(discord.ui.View):
    value = None

    @discord.ui.button(label='Yes')
    async def yes(self, use, button):
        self.value = True
        self.stop()
        await use.response.edit_message(content='Noted', view=None)


@tree.command(description='x')
async def confirm(use: discord.Interaction):
    view = Confirm(timeout=60)
    await use.response.send_message('Sure?', view=view)
    await view.wait()
    await use.edit_original_response(content='Done' if view.value else 'Too late')


class Pages(discord.ui.View):
    page = 0

    @discord.ui.button(label='Next')
    async def next_page(self, use, button):
        self.page = (self.page + 1) % 3
        await use.response.defer()
        await use.edit_original_response(content=('one', 'two', 'three')[self.page], view=self)


@tree.command(description='x')
async def pages(use: discord.Interaction):
    await use.response.defer()
    await use.followup.send('one', view=Pages())


@tree.command(description='x')
async def waited(use: discord.Interaction):
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label='Yes', custom_id=f'yes-{use.id}'))
    view.stop()
    await use.response.send_message('Sure?', view=view)
    message = await use.original_response()
    is_mine = lambda one: one.type is discord.InteractionType.component and one.message.id == message.id  # noqa: E731
    press = await client.wait_for('interaction', check=is_mine, timeout=60)
    await press.response.edit_message(content='Done', view=None)


@client.event
async def on_message(message):
    if message.content == '!quiz':
        await message.channel.send('2+2?')
        right = await client.wait_for('message', check=lambda one: one.content == '4', timeout=60)
        await message.channel.send(f'{right.author.name} wins')
    if message.content == '!vote':
        vote = await message.channel.send('Vote')
        await vote.add_reaction('👍')
        reaction, _ = await client.wait_for('reaction_add', check=lambda _, user: not user.bot, timeout=60)
        await message.channel.send(f'Voted {reaction.emoji}')


@client.event
async def on_ready():
    # The tree knows its commands by name; the testbed has deployed them.
    print('ready', flush=True)


client.run(os.environ['BOT_TOKEN'])
