/** A stand-in for Discord: this service behind the address of Discord, with what goes wrong there. */
import { onTestFinished, vi } from 'vitest'
import { permissions } from 'commandry'
import { testbed, type Testbed, type TestbedOptions } from 'commandry/testbed'
import { WebSocketServer } from '../../../support/sockets.ts'
import { call, directoryOf, type Called, type CallOptions } from '../program.ts'

export const SERVER = '2001'
export const TOKEN = 'the-token-of-the-bot'

export const everyone = permissions('VIEW_CHANNEL', 'SEND_MESSAGES', 'READ_MESSAGE_HISTORY', 'EMBED_LINKS')
/** All that probes need, without ADMINISTRATOR. */
const ofBot = permissions(
  ...(['MANAGE_CHANNELS', 'MANAGE_ROLES', 'MANAGE_WEBHOOKS', 'CREATE_PUBLIC_THREADS'] as const),
  ...(['ADD_REACTIONS', 'BAN_MEMBERS', 'MANAGE_MESSAGES', 'SEND_POLLS'] as const),
)

/** An application with an Activity, whose bot has every permission that probes need, but not ADMINISTRATOR. */
export const able: TestbedOptions = { flags: 1 << 17, bot: { roles: ['Bot'] } }

export interface Sent {
  readonly method: string
  readonly path: string
  /** The JSON of the body. */
  readonly body: any
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** What happens to a request; `pass` sends it to the service. */
export type Fate = (sent: Sent, pass: () => Promise<Response>, index: number) => Promise<Response>

/** A state without versions: the entry point gets a new one when it is edited and edited back. */
export const withoutVersions = (state: { readonly commands: readonly any[] }) => ({
  ...state,
  commands: state.commands.map(({ version, ...command }) => command),
})

/** Loses a connection. */
export const cut = (): never => {
  throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
}

export const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })

export interface Discord {
  readonly bed: Testbed
  readonly cwd: string
  readonly sent: Sent[]
  /** The commands, their permissions and the channels that are there. */
  state(): Promise<{ readonly commands: readonly any[] }>
  run(args?: readonly string[], options?: CallOptions): Called
}

/** Opens the stand-in. @param fate by default every request is passed on */
export async function discord(
  options: TestbedOptions = able,
  fate: Fate = (_, pass) => pass(),
): Promise<Discord> {
  const roles = [
    { id: SERVER, name: '@everyone', permissions: everyone },
    { id: '5001', name: 'Bot', permissions: ofBot },
    { id: '5002', name: 'Reader', permissions: '0' },
  ]
  const channels = [{ id: '4001', name: 'general', type: 0 }] as const
  const servers = [{ id: SERVER, name: 'Tests', roles, channels, members: [] }]
  const bed = await testbed({ ws: { WebSocketServer }, servers, ...options })
  onTestFinished(() => bed.close())
  const cwd = await directoryOf({})
  const sent: Sent[] = []
  const own = globalThis.fetch
  const rest = (path: string) => `${bed.rest}${path.slice('/api'.length)}`
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const { origin, pathname, search } = new URL(address)
    if (origin !== 'https://discord.com') throw new Error(`${address} is not Discord`)
    const path = `${pathname}${search}`
    const text = typeof init.body === 'string' ? init.body : ''
    const body = readable(text)
    const one = { method: init.method!, path, body, text, headers: init.headers as Record<string, string> }
    return fate(one, () => own(rest(path), init), sent.push(one) - 1)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const read = async (path: string) =>
    (await own(`${bed.rest}/v10${path}`, { headers: { authorization: `Bot ${bed.token}` } })).json()
  return {
    bed,
    cwd,
    sent,
    async state() {
      const { scopes, permissions: sets } = await bed.registry.snapshot(bed.applicationId)
      const commands = scopes.flatMap((scope) => scope.commands)
      return { commands, permissions: sets, channels: await read(`/guilds/${SERVER}/channels`) }
    },
    run: (args = [], more = {}) =>
      call(
        ['vectors', '--against', 'discord', '--application', bed.applicationId, '--guild', SERVER, ...args],
        {
          cwd,
          env: { COMMANDRY_TOKEN: TOKEN },
          ask: async () => bed.applicationId,
          ...more,
        },
      ),
  }
}

function readable(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
