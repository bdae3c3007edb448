/** Writes through the public routes, like any client. */
import { service } from './ask.ts'
import { composer } from './composer.ts'
import { announce, h, notify, typed, type Child } from './dom.ts'
import { basePath, go, refreshAbout } from './place.ts'
import { uses } from './uses.ts'

/** The token of the tab, kept in memory. An open service takes any. */
const access = { token: 'workbench', isRefused: false }

/**
 * @param body JSON as text, or a value to write as JSON
 * @returns why nothing was written; empty when it was
 */
export async function write(method: string, path: string, body: unknown, type = 'Bot'): Promise<string> {
  try {
    const response = await service.send(`${basePath}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `${type} ${access.token}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    access.isRefused = response.status === 401
    if (access.isRefused) return 'This server asks for a token.'
    return response.ok ? '' : (await response.json()).message
  } catch {
    return 'Not connected: nothing was written.'
  }
}

/** Replaces the commands of an application, or of it in a server. */
export async function deploy(app: string, guild: string, commands: readonly object[]): Promise<void> {
  const scope = guild === '' ? '' : `/guilds/${guild}`
  const problem = await write('PUT', `/applications/${app}${scope}/commands`, commands)
  if (problem !== '') return notify(problem)
  announce('Deployed')
  await refreshAbout()
  // The list of commands shows what was deployed; before the first use it is in sight anyway.
  if (uses.length > 0) composer.text = '/'
  go({ view: 'member', app })
}

/** Asks for a token once the server has refused the one of the tab. */
export function tokenField(): Child {
  return (
    access.isRefused &&
    h`<input type="password" aria-label="Token" placeholder="Token for this server" autocomplete="off"
      oninput=${typed((value) => (access.token = value))} />`
  )
}
