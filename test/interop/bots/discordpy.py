"""A bot of discord.py: the same commands as the others, in its words."""

import io
import os

import discord
from discord import app_commands

from addresses import use_service

use_service()
client = discord.Client(intents=discord.Intents(guilds=True))
tree = app_commands.CommandTree(client)


@tree.command(description='Replies')
async def ping(use: discord.Interaction):
    await use.response.send_message('pong')


@tree.command(description='Defers, edits its reply and reads it')
async def slow(use: discord.Interaction):
    await use.response.defer()
    await use.edit_original_response(content='working')
    message = await use.original_response()
    message = await message.fetch() if message.content != 'working' else message
    await use.edit_original_response(content=f'done after {message.content}')


@tree.command(description='Replies and follows up')
async def more(use: discord.Interaction):
    await use.response.send_message('first')
    await use.followup.send('second')


@tree.command(description='Replies to one person')
async def secret(use: discord.Interaction):
    await use.response.send_message('psst', ephemeral=True)


@tree.command(description='Replies with a file')
async def file(use: discord.Interaction):
    await use.response.send_message('here', file=discord.File(io.BytesIO(b'Hello, file'), 'hello.txt'))


@tree.command(description='Replies and deletes the reply')
async def gone(use: discord.Interaction):
    await use.response.send_message('gone')
    await use.delete_original_response()


class Form(discord.ui.Modal, title='Form'):
    name = discord.ui.TextInput(label='Name', custom_id='name')

    async def on_submit(self, use: discord.Interaction):
        await use.response.send_message(f'Hello, {self.name}')


@tree.command(description='Opens a modal')
async def form(use: discord.Interaction):
    await use.response.send_modal(Form(custom_id='form'))


class Armed(discord.ui.View):
    @discord.ui.button(label='Undo', style=discord.ButtonStyle.danger, custom_id='undo')
    async def undo(self, use: discord.Interaction, _button: discord.ui.Button):
        await use.response.edit_message(content='undone', view=None)


@tree.command(description='Shows a button')
async def button(use: discord.Interaction):
    await use.response.send_message('armed', view=Armed())


@tree.command(description='Suggests')
async def find(use: discord.Interaction, query: str):
    await use.response.send_message(f'found {query}')


@find.autocomplete('query')
async def suggest(_use: discord.Interaction, typed: str):
    names = [name for name in ('apple', 'apricot', 'banana') if name.startswith(typed)]
    return [app_commands.Choice(name=name, value=name) for name in names]


config = app_commands.Group(name='config', description='Has a group')
role = app_commands.Group(name='role', description='x', parent=config)


@role.command(name='set', description='x')
async def set_role(use: discord.Interaction, user: discord.User, channel: discord.TextChannel, role: discord.Role):
    await use.response.send_message(f'role set {user.name} {channel.name} {role.name}')


tree.add_command(config)


@tree.context_menu(name='Greet')
async def greet(use: discord.Interaction, user: discord.User):
    await use.response.send_message(f'Hello, {user.name}')


@client.event
async def on_ready():
    await tree.sync()
    print('ready', flush=True)


client.run(os.environ['BOT_TOKEN'], log_handler=None)
