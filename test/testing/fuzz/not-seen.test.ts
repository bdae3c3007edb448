/** What a run of `fuzz` says that it has not seen. */
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { globalScope, guildScope } from 'commandry'
import { fuzz, type FuzzOptions, type FuzzReport } from 'commandry/fuzz'
import { testbed } from 'commandry/testbed'
import { verified } from '../../support/verified.mjs'
import { fuzzEndpoint, option, ping, row, short, withEndpoint } from './bot.ts'

const namesOf = ({ not_seen }: FuzzReport, kind: string) =>
  not_seen.filter((one) => one.kind === kind).map(({ name, reason }) => `${name}: ${reason}`)

it.each([
  ['uses a command that the bot deploys at its last use', false, []],
  ['names a command that the bot deploys before the run is ended', true, ['/later: the run ended before it']],
])('%s', async (_, isEnded, names) => {
  const end = new AbortController()
  const used = new Set<string>()
  const report = await withEndpoint(
    async ({ data }) => {
      used.add(data.name)
      if (data.name === 'ping') {
        await deploy()
        if (isEnded) end.abort()
      }
      return short
    },
    {},
    (bed) => {
      deploy = () => bed.registry.upsert(globalScope(bed.applicationId), { ...ping, name: 'later' })
      return fuzz(bed, { runs: 1, signal: end.signal })
    },
  )
  expect(namesOf(report, 'command')).toEqual(names)
  expect([report.ok, used.has('later')]).toEqual([!isEnded, !isEnded])
})
let deploy: () => Promise<unknown>

it('names the servers after the first, in which nobody uses the bot, and their commands', async () => {
  const second = { id: '2002', name: 'Second' }
  const servers = [
    { id: '2001', name: 'First', members: [{ user: { id: '3001', username: 'ada' } }] },
    second,
  ]
  const report = await withEndpoint(
    () => short,
    { servers },
    async (bed) => {
      for (const name of ['ping', 'there'])
        await bed.registry.upsert(guildScope(bed.applicationId, second.id), { ...ping, name })
      return fuzz(bed, { runs: 1 })
    },
  )
  expect(namesOf(report, 'server')).toEqual(['Second: people use the bot in First alone'])
  expect(namesOf(report, 'command')).toEqual(['/there: deployed in Second alone'])
  expect(report.ok).toBe(false)
})

it.each([
  ['names the options that were never given', 1, ['/ping text: never given']],
  ['names no option when each was given', 2, []],
])('%s', async (_, runs, names) => {
  const commands = [{ ...ping, options: [option(6, 'who', { required: true }), option(3, 'text')] }]
  const report = await fuzzEndpoint(() => short, { runs }, { commands: commands as never[] })
  expect(namesOf(report, 'option')).toEqual(names)
  // An option alone does not make a run fail.
  expect(report.ok).toBe(true)
})

const button = (label: string) => ({ type: 2, style: 1, label, custom_id: label })
const link = { type: 2, style: 5, label: 'Site', url: 'https://example.com' }

it.each([
  ['names the buttons that were never pressed', ['A', 'B', 'C', 'D'], ['/ping D: never used']],
  ['names no button when each was pressed, links and disabled ones aside', ['A', 'B'], []],
])('%s', async (_, labels, names) => {
  const answer = ({ data }: any) => {
    const next = labels[labels.indexOf(data.custom_id) + 1]
    const buttons = next === undefined ? [link, { ...button('off'), disabled: true }] : [button(next)]
    return { type: 4, data: { content: 'x', components: row(...buttons) } }
  }
  expect(namesOf(await fuzzEndpoint(answer), 'component')).toEqual(names)
})

/** Fuzzes a bot at an address. @param isAwaited whether it awaits the check of the signature */
async function fuzzAddress(isAwaited: boolean, options: FuzzOptions = {}) {
  const types: unknown[] = []
  const methods = new Set<unknown>()
  const server = createServer(async (request, response) => {
    methods.add(request.method)
    const { headers } = request
    let body = ''
    for await (const text of request) body += text
    const check = verified(bed.publicKey, headers, body)
    if (!(isAwaited ? await check : check)) return response.writeHead(401).end()
    const { type } = JSON.parse(body)
    types.push(type)
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify(type === 1 ? { type: 1 } : short))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const url = `http://127.0.0.1:${port}/`
  const bed = await testbed({ commands: [ping] as never[], endpoint: url })
  onTestFinished(async () => {
    await bed.close()
    server.close()
  })
  return { url, types, methods, report: await fuzz(bed, { runs: 1, ...options }) }
}

it('sends an address what Discord sends when it is saved, before the first use, and accepts a bot that refuses a wrong signature', async () => {
  const { url, types, methods, report } = await fuzzAddress(true)
  expect(report).toMatchObject({ ok: true, endpoint: { url, problems: [], error: null }, not_seen: [] })
  expect(types).toEqual([1, 2])
  expect([...methods]).toEqual(['POST'])
})

it('fails for a bot that does not await its check of signatures', async () => {
  const { report } = await fuzzAddress(false)
  expect(report).toMatchObject({ ok: false, failures: [], endpoint: { problems: ['signature'] } })
})

it('says that the signatures of a function were not tried', async () => {
  const report = await fuzzEndpoint(() => short)
  expect(report).toMatchObject({ ok: true, endpoint: null, not_seen: [{ kind: 'signature' }] })
})
