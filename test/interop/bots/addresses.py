"""Brings discord.py to the addresses of the service, if there are any."""
import os

import discord


def use_service():
    if not os.environ.get('BOT_REST'):
        return
    discord.http.Route.BASE = os.environ['BOT_REST'] + '/v10'
    # It never asks for the address of the gateway.
    address = os.environ['BOT_GATEWAY']
    try:
        import yarl

        address = yarl.URL(address)
    except ImportError:
        pass
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = address
