"""What an author of discord.py does with commands, against the service at argv[1] in the guild argv[2]."""
import asyncio
import json
import sys

import discord
from discord import app_commands
from discord.http import Route

Route.BASE = sys.argv[1]
guild = discord.Object(int(sys.argv[2]))
said = {}


class Texts(app_commands.Translator):
    async def translate(self, string, locale, context):
        return {"ban": "bannen"}.get(string.message) if locale is discord.Locale.german else None


async def refusal(call):
    try:
        await call
    except discord.HTTPException as error:
        return [type(error).__name__, error.status, error.code, str(error)]
    return None


async def main():
    client = discord.Client(intents=discord.Intents.none())
    tree = app_commands.CommandTree(client)

    @tree.command(name=app_commands.locale_str("ban"), description="Bans a member")
    @app_commands.default_permissions(ban_members=True)
    async def ban(interaction, member: discord.User, days: app_commands.Range[int, 0, 7] = 0, reason: str = ""):
        pass

    @tree.context_menu(name="Report")
    async def report(interaction, user: discord.User):
        pass

    config = app_commands.Group(name="config", description="Settings", guild_only=True)

    @config.command(name="level", description="Sets a level")
    @app_commands.choices(level=[app_commands.Choice(name="low", value=1), app_commands.Choice(name="high", value=2)])
    async def level(interaction, level: app_commands.Choice[int]):
        pass

    tree.add_command(config)

    await client.login("bot")
    said["application"] = str(client.application_id)
    await tree.set_translator(Texts())
    said["synced"] = sorted(command.name for command in await tree.sync())
    fetched = {command.name: command for command in await tree.fetch_commands()}
    said["permissions"] = fetched["ban"].default_member_permissions.value
    said["options"] = [[o.name, o.type.name, o.required, o.max_value] for o in fetched["ban"].options]
    said["choices"] = [[c.name, c.value] for c in fetched["config"].options[0].options[0].choices]
    said["dm"] = [fetched["ban"].dm_permission, fetched["config"].dm_permission]
    said["one"] = (await tree.fetch_command(fetched["ban"].id)) == fetched["ban"]
    edited = await fetched["ban"].edit(description="Bans somebody")
    said["edited"] = [edited.description, len(edited.options)]
    tree.copy_global_to(guild=guild)
    said["guild"] = len(await tree.sync(guild=guild))
    said["unset"] = await refusal(fetched["ban"].fetch_permissions(guild))
    said["unknown"] = await refusal(tree.fetch_command(99))
    body = {"name": "Bad Name", "description": "", "type": 1}
    said["one refused"] = await refusal(client.http.upsert_global_command(client.application_id, body))
    option = {"type": 3, "name": "X", "description": ""}
    bodies = [{"name": "a", "description": "b", "options": [option]}]
    said["list refused"] = await refusal(
        client.http.bulk_upsert_global_commands(client.application_id, bodies)
    )
    await edited.delete()
    said["left"] = len(await tree.fetch_commands())
    await client.close()
    print(json.dumps(said))


asyncio.run(main())
