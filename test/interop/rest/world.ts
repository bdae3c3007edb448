import type { HandlerOptions } from 'commandry/http'
import { service } from '../../service/http/service.ts'
import { hosted } from '../../support/hosted.ts'

export { APP, GUILD, USER } from '../../service/http/ids.ts'

/** A service on its own socket; `url` is without the base path: `http://127.0.0.1:40000`. */
export async function world(options: Partial<HandlerOptions> = {}) {
  const { registry, handler } = service(options)
  return { registry, url: await hosted(handler) }
}

const level = {
  ...{ type: 4 as const, name: 'level', description: 'How much', min_value: 0, max_value: 2 ** 53 - 1 },
  choices: [
    { name: 'None', name_localizations: { de: 'Keine' }, value: 0 },
    { name: 'All', value: 9 },
  ],
}
const edit = {
  ...{ type: 1 as const, name: 'edit', name_localizations: { de: 'ändern' }, description: 'Edit them' },
  options: [
    { type: 6 as const, name: 'user', description: 'Whose', required: true },
    level,
    { type: 3 as const, name: 'why', description: 'For what', autocomplete: true, max_length: 6000 },
  ],
}

/** A command with most kinds of fields and options. */
export const rich = {
  name: 'permissions',
  name_localizations: { de: 'rechte', 'es-ES': 'permisos' },
  description: 'Get or edit permissions',
  description_localizations: { de: 'Rechte lesen oder ändern' },
  default_member_permissions: '8',
  options: [{ type: 2 as const, name: 'user', description: 'For a user', options: [edit] }],
}
