/** `docs/python/commandry_pytest.py`, with a bot of discord.py that has a button, a modal and a menu. */
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/markdown.ts'
import { findPython } from './python.ts'
import { servingGateway } from '../gateway/serve-gateway.ts'

const python = findPython('discord, pytest')

const bot = `
import io
import os
import discord
import yarl
from discord import app_commands

discord.http.Route.BASE = os.environ['COMMANDRY_URL'] + '/api/v10'
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ['COMMANDRY_URL']).with_scheme('ws')
client = discord.Client(intents=discord.Intents(guilds=True, messages=True, message_content=True, members=True))
tree = app_commands.CommandTree(client)


class Why(discord.ui.Modal, title='Why'):
    reason = discord.ui.TextInput(label='Reason')

    async def on_submit(self, interaction):
        await interaction.response.send_message(f'{interaction.user.name}: {self.reason}')


class Buttons(discord.ui.View):
    @discord.ui.button(label='Vote')
    async def vote(self, interaction, button):
        await interaction.response.send_message(f'{interaction.user.name} voted', ephemeral=True)

    @discord.ui.button(label='Explain')
    async def explain(self, interaction, button):
        await interaction.response.send_modal(Why())

    @discord.ui.select(placeholder='Pick one', options=[discord.SelectOption(label='Red'), discord.SelectOption(label='Blue')])
    async def pick(self, interaction, select):
        await interaction.response.edit_message(content=f'picked {select.values[0]}')


@tree.command(description='Asks everyone')
async def ask(interaction):
    await interaction.response.send_message('Vote now', view=Buttons())


@tree.command(description='Turns a file around')
async def turn(interaction, file: discord.Attachment):
    turned = discord.File(io.BytesIO((await file.read())[::-1]), 'turned.bin')
    await interaction.response.send_message(file.filename, file=turned)


@client.event
async def on_message(message):
    if message.content == '!ping':
        await message.channel.send('pong')


@client.event
async def on_ready():
    await tree.sync()


client.run(os.environ['DISCORD_TOKEN'], log_handler=None)
`

const conftest = `
import sys
import pytest

pytest_plugins = ['commandry_pytest']


@pytest.fixture(scope='session', autouse=True)
def bot(run_bot):
    return run_bot(sys.executable, 'bot.py', ready='/ask')
`

const tests = `
import re
import pytest
from commandry_pytest import Refused, attachment


def test_two_people_press_one_button(ada, grace):
    shown = ada.use('/ask')
    assert shown.press('Vote').content == 'ada voted'
    assert shown.press('Vote', who=grace).content == 'grace voted'


def test_a_modal_by_label(ada):
    modal = ada.use('/ask').press('Explain')
    assert modal.submit({'Reason': 'because'}).content == 'ada: because'


def test_a_menu(ada):
    assert ada.use('/ask').choose('Pick one', 'Blue').content == 'picked Blue'


def test_an_unknown_button_is_refused_with_what_there_is(ada):
    with pytest.raises(Refused, match='Vote'):
        ada.use('/ask').press('Veto')


def test_another_place_and_a_message(people, moderator):
    assert moderator.at(channel='staff').use('/ask').content == 'Vote now'
    moderator.say('!ping')
    people.settled('60s')
    assert 'pong' in [each['content'] for each in people.messages('general')]
    assert moderator.sees(re.compile('^p.ng')) == moderator.sees('pong')
    with pytest.raises(Refused, match='whole text'):
        moderator.no_longer_sees('pon')


def test_files_go_to_the_bot_and_come_back(ada, tmp_path):
    assert ada.use('turn', file=attachment('a.bin', b'\\x00\\xff')).files == {'turned.bin': b'\\xff\\x00'}
    path = tmp_path / 'b.txt'
    path.write_text('ab')
    shown = ada.use('turn', file=attachment(str(path)))
    assert (shown.content, shown.files) == ('b.txt', {'turned.bin': b'ba'})


def test_a_thread(people, administrator):
    first = administrator.say('Broken', files=[attachment('log.txt', 'line')])
    administrator.start_thread('ticket-7', message=first)
    assert 'ticket-7' in [each['name'] for each in people.threads()]
    inside = administrator.at(channel='ticket-7')
    said = inside.say('Which one?')
    inside.pin(inside.say('This one', reply=said))
    assert [(each['content'], each['pinned']) for each in people.messages('ticket-7')][-2] == ('This one', True)
    assert inside.use('/ask').press('Vote').content == 'alan voted'


def test_time_passes(people, grace):
    people.post('timeout', name='grace', duration='1h')
    with pytest.raises(Refused):
        grace.use('/ask')
    assert people.advance('61m') is False
    assert grace.use('/ask').content == 'Vote now'
`

describe.skipIf(python === undefined)(
  `the plugin of pytest${python === undefined ? ' (skipped: discord.py and pytest are not installed)' : ''}`,
  () => {
    const run = async (files: Readonly<Record<string, string>>, url: string | undefined) => {
      const cwd = mkdtempSync(join(tmpdir(), 'commandry-pytest-'))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
      const { COMMANDRY_URL: _, ...env } = process.env
      const PYTHONPATH = fileURLToPath(new URL('docs/python', root))
      const options = { cwd, env: { ...env, PYTHONPATH, ...(url !== undefined && { COMMANDRY_URL: url }) } }
      const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']
      return promisify(execFile)(python!, args, options).catch((error: { stdout: string }) => error)
    }

    it('uses, presses, chooses, submits and writes as people', async () => {
      const files = { 'bot.py': bot, 'conftest.py': conftest, 'test_bot.py': tests }
      expect((await run(files, await servingGateway())).stdout).toMatch(/^8 passed/m)
    })

    it('says what is missing: the service, or the bot that has ended', async () => {
      const files = { 'bot.py': 'raise SystemExit(3)', 'conftest.py': conftest, 'test_bot.py': tests }
      expect((await run(files, undefined)).stdout).toContain('COMMANDRY_URL is not set')
      expect((await run(files, await servingGateway())).stdout).toContain(
        'ended with code 3 before /ask was there',
      )
    })
  },
)
