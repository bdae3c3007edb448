/** Writes go through the public routes, as any client's do. */
import { h, type Child } from './dom.ts'
import { announce, basePath, draw, go, messages, refreshAbout } from './state.ts'

/** The token of the tab, kept in memory. An open service takes any. */
export const access = { token: 'workbench', isRefused: false }

/** What became of a write. */
export type Written =
  { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly message: string }

export async function write(method: string, path: string, body: unknown, type = 'Bot'): Promise<Written> {
  try {
    const response = await fetch(`${basePath}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `${type} ${access.token}` },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    access.isRefused = response.status === 401
    if (response.ok) return { ok: true, body: answer }
    return { ok: false, message: access.isRefused ? 'This server asks for a token.' : answer.message }
  } catch {
    return { ok: false, message: 'Not connected: nothing was written.' }
  }
}

/** Replaces the commands of an application, or of it in a server. */
export async function deploy(
  application: string,
  guild: string,
  commands: readonly object[],
): Promise<Written> {
  const scope = guild === '' ? '' : `/guilds/${guild}`
  const written = await write('PUT', `/applications/${application}${scope}/commands`, commands)
  if (written.ok) {
    announce('Deployed')
    await refreshAbout()
    go({ view: 'member', app: application })
  } else {
    messages.notice = written.message
    draw()
  }
  return written
}

/** Asks for a token once the server has refused the one of the tab. */
export function tokenField(): Child {
  return (
    access.isRefused &&
    h('input', {
      ...{
        type: 'password',
        'aria-label': 'Token',
        placeholder: 'Token for this server',
        autocomplete: 'off',
      },
      oninput: (event: Event) => (access.token = (event.target as HTMLInputElement).value),
    })
  )
}
