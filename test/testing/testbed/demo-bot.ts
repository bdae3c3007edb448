/** A bot in one function with a command for each kind of answer, and a testbed around it. */
import { beforeEach } from 'vitest'
import { testbed, type Testbed, type TestbedOptions } from 'commandry/testbed'

export const option = (type: 3 | 4 | 6 | 11, name: string, more = {}) => ({
  type,
  name,
  description: 'x',
  ...more,
})
export const ban = {
  name: 'ban',
  name_localizations: { de: 'sperren' },
  description: 'Bans a member',
  description_localizations: { de: 'Sperrt ein Mitglied' },
  default_member_permissions: '4',
  options: [
    option(6, 'user', { required: true, name_localizations: { de: 'nutzer' } }),
    option(3, 'reason', { autocomplete: true, name_localizations: { de: 'grund' } }),
    option(4, 'days', { choices: [{ name: 'One', value: 1, name_localizations: { de: 'Einer' } }] }),
  ],
} as const
export const file = { id: 0, filename: 'cat.png' }
export const row = (...components: object[]) => ({ type: 1, components })
export const channelMenu = { type: 8, custom_id: 'channel', channel_types: [0] }
export const pickers = [row({ type: 7, custom_id: 'whom' }), row(channelMenu)]
export const commands = [
  ban,
  { name: 'say', description: 'Says a text', options: [option(3, 'text')] },
  { name: 'show', description: 'Shows a file' },
  { name: 'play', description: 'Launches the Activity' },
  { name: 'pick', description: 'Offers people and channels' },
  { name: 'hide', description: 'Answers nothing' },
  { name: 'ask', description: 'Opens a modal' },
  { name: 'form', description: 'Opens a modal with menus' },
  { name: 'order', description: 'Opens a modal with boxes and files' },
  { name: 'here', description: 'Works everywhere', contexts: [0, 1, 2], integration_types: [0, 1] },
  { name: 'mine', description: 'For group DMs', contexts: [2], integration_types: [1] },
  { type: 2, name: 'Greet' },
  { type: 3, name: 'Quote' },
  { name: 'send', description: 'Takes a file', options: [option(11, 'file', { required: true })] },
] as const

export const modal = {
  custom_id: 'form',
  title: 'Form',
  components: [row({ type: 4, custom_id: 'name', label: 'Name', style: 1 })],
}
export const undo = { type: 2, style: 4, label: 'Undo', custom_id: 'undo' }
export const help = { type: 2, style: 5, label: 'Help', url: 'https://example.com' }
export const menu = { type: 3, custom_id: 'menu', options: [{ label: 'First', value: '1' }] }
export const components = [row(undo, help), row(menu)]
export const labelled = (label: string, component: object) => ({ type: 18, label, component })
export const whom = {
  type: 5,
  custom_id: 'whom',
  default_values: [{ id: '100000000000003001', type: 'user' }],
}
export const options = [...menu.options, { label: 'Second', value: '2', default: true }]
export const what = { type: 3, custom_id: 'what', options }
export const form = { ...modal, components: [labelled('Whom', whom), labelled('What', what)] }
export const paint = { type: 21, custom_id: 'paint', options }
export const extras = { type: 22, custom_id: 'extras', options }
export const inputs = [
  labelled('Paint', paint),
  labelled('Extras', extras),
  labelled('Agree', { type: 23, custom_id: 'agree' }),
  labelled('Plan', { type: 19, custom_id: 'plan', required: false }),
  labelled('Notes', { type: 4, custom_id: 'notes', style: 2, required: false }),
]
export const order = { ...modal, title: 'Order', components: inputs }
export const no = { type: 2, style: 1, emoji: { name: '👎' }, custom_id: 'no', disabled: true }
export const embed = {
  ...{ author: { name: 'Ada' }, title: 'Title', description: 'Words', fields: [{ name: 'A', value: 'B' }] },
  ...{ footer: { text: 'End' }, image: { url: 'https://a.example' } },
}
export const vote = [row({ type: 2, style: 1, label: 'Yes', custom_id: 'vote' }, no)]

export const message = (content: string, more = {}) => ({ type: 4, data: { content, ...more } })
/** The first of the resolved objects of a kind. */
export const first = ({ resolved = {} }: any, kind: string): any => Object.values(resolved[kind] ?? {})[0]

/** The answers of a bot to its commands. */
export const answers: { readonly [command: string]: (data: any, locale: string) => object } = {
  ban(data, locale) {
    const values = data.options.map(({ name, value }: any) =>
      name === 'user' ? first(data, 'users').username : `${name}=${value}`,
    )
    return message(`${locale}: ${values.join(' ')}`, { flags: 64, components })
  },
  Greet: (data) => message(`Hello, ${first(data, 'users').username}`),
  Quote: (data) => message(first(data, 'messages').content),
  send: (data) => message(first(data, 'attachments').filename),
  say: (data) => message(data.options?.[0].value ?? 'x'.repeat(2001)),
  play: () => ({ type: 12 }),
  pick: () => message('Whom?', { components: pickers }),
  form: () => ({ type: 9, data: form }),
  order: () => ({ type: 9, data: order }),
  here: () => message('Vote', { components: vote, embeds: [embed] }),
  mine: () => message('Vote', { components: vote }),
  ask: () => ({ type: 9, data: modal }),
}

/** A bot in one function: the answer to an interaction. */
export function answer({ type, data, locale, member, user }: any): object | null {
  if (type === 4)
    return { type: 8, data: { choices: [{ name: 'spam', value: 's', name_localizations: { de: 'Müll' } }] } }
  if (type === 3 && data.component_type !== 2 && data.component_type !== 3)
    return message(JSON.stringify(data.resolved))
  if (type === 3) {
    if (data.custom_id === 'vote')
      return { ...message(`${(member ?? { user }).user.username} voted`), type: 7 }
    return { ...message(data.custom_id === 'undo' ? 'undone' : `chose ${data.values}`), type: 7 }
  }
  if (type === 5 && data.components[0].type === 18) return message(JSON.stringify(data))
  if (type === 5) return message(`Hello, ${data.components[0].components[0].value}`)
  return answers[data.name]?.(data, locale) ?? null
}

export const never = new Promise<Response>(() => {})
export const endpoint = async (request: Request): Promise<Response> => {
  const interaction = JSON.parse(await request.text())
  if (interaction.data.name === 'show') {
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ type: 4, data: { attachments: [file] } }))
    form.set('files[0]', new Blob(['meow']), file.filename)
    return new Response(form)
  }
  const body = answer(interaction)
  return body === null ? never : Response.json(body)
}

export let bed: Testbed

/** Opens a testbed instead of the one of the test. */
export async function open(options: TestbedOptions): Promise<void> {
  await bed.close()
  bed = await testbed({ commands, endpoint, ...options })
}

/** Opens a testbed for each test of the file. */
export function useTestbeds(): void {
  beforeEach(async () => {
    bed = await testbed({ commands, endpoint })
    return () => bed.close()
  })
}
