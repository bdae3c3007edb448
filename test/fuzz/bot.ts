/** A bot in one function, with one planted fault at a time; and bots that answer as a test says. */
import { fuzz, type FuzzOptions, type FuzzReport } from 'commandry/fuzz'
import { testbed, type Testbed, type TestbedOptions } from 'commandry/testbed'

export const option = (type: number, name: string, more = {}) => ({ type, name, description: 'x', ...more })

const user = option(6, 'user', { required: true })
const page = option(3, 'page', { autocomplete: true, required: true, max_length: 20 })
const text = option(3, 'text', { required: true })
const kind = option(3, 'kind', { choices: ['none', 'short', 'long'].map((name) => ({ name, value: name })) })

export const commands = [
  {
    ...{ name: 'ban', description: 'Bans a member', default_member_permissions: '4' },
    options: [user, option(3, 'reason')],
  },
  { name: 'form', description: 'Opens a modal' },
  { name: 'find', description: 'Finds a page', options: [page] },
  { name: 'echo', description: 'Repeats a text', options: [text, option(5, 'loud')] },
  { name: 'report', description: 'Takes long', options: [kind] },
  { name: 'pick', description: 'Offers a menu' },
  { name: 'later', description: 'Follows up' },
  { type: 2, name: 'Greet' },
] as never[]

/** The name of a fault, as in `fuzz.test.ts`. */
export type Planted = string

export const row = (...components: readonly object[]) => [{ type: 1, components }]
const input = { type: 4, custom_id: 'name', label: 'Name', style: 1, max_length: 40 }
const labelled = (component: object) => ({ type: 18, label: 'Label', component })
const undo = row({ type: 2, style: 4, label: 'Undo', custom_id: 'undo' })
const more = row({ type: 2, style: 1, label: 'More', custom_id: 'more' })
const sizes = ['small', 'large'].map((value) => ({ label: value, value }))
const menu = row({ type: 3, custom_id: 'size', options: sizes })
const inputs = [
  { type: 21, custom_id: 'radio', options: sizes },
  { type: 22, custom_id: 'group', options: sizes, min_values: 2 },
  { type: 23, custom_id: 'checkbox' },
  { type: 19, custom_id: 'upload', min_values: 5, max_values: 6 },
]
const modal = {
  custom_id: 'form',
  title: 'Form',
  components: [...row(input), ...inputs.map(labelled)],
}
const pages = ['start', 'rules', 'a (b)', 'imprint']
const never = new Promise<never>(() => {})

const message = (content: string, more = {}) => ({
  type: 4,
  data: { content, allowed_mentions: { parse: [] }, ...more },
})

/** The bot. @param rest the REST address of the service */
export function botWith(planted: Planted | undefined, rest: () => string) {
  const has = (one: Planted) => planted === one
  const send = (method: string, { application_id, token }: any, path: string, body: object) =>
    fetch(`${rest()}/v10/webhooks/${application_id}/${token}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const edit = (interaction: any) => send('PATCH', interaction, '/messages/@original', { content: 'done' })

  function suggestions(typed: string) {
    const isFound = has('pattern') ? new RegExp(typed) : { test: (page: string) => page.includes(typed) }
    const found = pages.filter((page) => isFound.test(page))
    if (has('many') && typed === '') found.push(...Array.from({ length: 22 }, (_, index) => `p${index}`))
    if (has('refused') && typed === '') found.push('a page with a name that is far too long')
    return { type: 8, data: { choices: found.map((value) => ({ name: value, value })) } }
  }

  function use(interaction: any, values: any) {
    switch (interaction.data.name) {
      case 'ban':
        if (has('option')) values.reason.trim()
        return message('Banned', { components: undo })
      case 'form':
        return { type: 9, data: modal }
      case 'find':
        return message('Found')
      case 'echo':
        if (has('mentions')) return { type: 4, data: { content: values.text.slice(0, 2_000) } }
        return message(values.text.trim().slice(0, 2_000) || '-')
      case 'report':
        if (!(has('deferred') && values.kind === 'long')) setTimeout(() => void edit(interaction), 1)
        return { type: 5 }
      case 'later':
        // The testbed may be closed before this.
        setTimeout(
          () => send('POST', interaction, '', { content: 'More', components: more }).catch(() => {}),
          1,
        )
        return message('First')
      case 'pick':
        return message('Which?', { components: menu })
      default:
        if (has('after')) setTimeout(() => Promise.reject(new Error('no such table')), 0)
        return message('Hello')
    }
  }

  return async (request: Request): Promise<Response> => {
    const interaction = JSON.parse(await request.text())
    const { type, data } = interaction
    const values = Object.fromEntries((data.options ?? []).map(({ name, value }: any) => [name, value]))
    if (type === 4) return Response.json(suggestions(values.page))
    if (type === 5) {
      const [, radio, group, checkbox, upload] = data.components.map((one: any) => one.component)
      const isFilled = sizes.some(({ value }) => value === radio.value) && group.values.length === 2
      const hasFiles = upload.values.length === 5 && Object.keys(data.resolved.attachments).length === 5
      const isHandled = !has('modal') && isFilled && hasFiles && !(has('unchecked') && !checkbox.value)
      return isHandled ? Response.json(message('Thanks')) : never
    }
    if (type === 3) {
      const planted: { readonly [id: string]: Planted } = { size: 'menu', more: 'followUp' }
      if (has(planted[data.custom_id] ?? 'button')) return never
      return Response.json({ type: 7, data: { content: 'Changed', components: [] } })
    }
    if (has('late') && data.name === 'pick') await new Promise((resolve) => setTimeout(resolve, 400))
    return Response.json(use(interaction, values))
  }
}

/** Fuzzes the bot. */
export async function fuzzBot(planted?: Planted, options: FuzzOptions = {}): Promise<FuzzReport> {
  let rest = ''
  // A bot without a fault may be slow on a busy machine.
  const timeout = planted === undefined ? 3_000 : 200
  const bed = await testbed({ commands, endpoint: botWith(planted, () => rest), timeout })
  rest = bed.rest
  try {
    return await fuzz(bed, { patience: 300, ...options })
  } finally {
    await bed.close()
  }
}

export const ping = { name: 'ping', description: 'x' }
export const long = { type: 4, data: { content: 'x'.repeat(2_001) } }
export const short = { type: 4, data: { content: 'x' } }

type Answer = (interaction: any, rest: string) => object | Promise<object>

/** Opens a testbed for a bot over HTTP that answers every interaction with one function. */
export async function withEndpoint<T>(
  answer: Answer,
  more: TestbedOptions,
  use: (bed: Testbed) => Promise<T>,
): Promise<T> {
  const endpoint = async (request: Request) => Response.json(await answer(await request.json(), bed.rest))
  const bed = await testbed({ commands: [ping] as never[], endpoint, timeout: 200, ...more })
  try {
    return await use(bed)
  } finally {
    await bed.close()
  }
}

/** Fuzzes such a bot. */
export function fuzzEndpoint(answer: Answer, options: FuzzOptions = {}, more: TestbedOptions = {}) {
  return withEndpoint(answer, more, (bed) => fuzz(bed, { runs: 3, ...options }))
}

/** Runs the test of a failure. */
export async function runTest(bed: Testbed, code: string): Promise<void> {
  const declared: (() => Promise<void>)[] = []
  new Function('bed', 'test', code)(bed, (_title: string, body: () => Promise<void>) => declared.push(body))
  for (const body of declared) await body()
}
