import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { CommandRegistry } from 'commandry'
import { rules } from 'commandry/reference'
import { listening } from '../../../support/listening.ts'
import { call, ending, failing } from '../program.ts'
import { serving } from '../services.ts'
import { app, guild } from '../../../support/fixtures.ts'

/** The address of a service that can be read and accepts the first write, and refuses the others. */
function refusing(status: number): Promise<string> {
  let writes = 0
  return listening(({ method }, response) => {
    const isAccepted = method === 'GET' || writes++ === 0
    response.writeHead(isAccepted ? 200 : status).end(isAccepted ? '[]' : '{"message":"No","code":50035}')
  })
}

it('commandry vectors writes every rule as cases, in JSON', async () => {
  const { code, out } = await call(['vectors'])
  const vectors = JSON.parse(out)
  expect(code).toBe(0)
  expect(vectors).toMatchObject({
    format: 'commandry-vectors',
    version: 1,
    valid: { name: 'a', description: 'b' },
  })
  const written = new Set(vectors.cases.map(({ rule }: { rule: string }) => rule))
  expect([...written].sort()).toEqual(rules.map(({ code: rule }) => rule).sort())
  for (const { rule, level, on, errors } of vectors.cases) {
    if (level === 'warning') expect([rule, errors]).toEqual([rule, null])
    if (errors !== null) expect(['command', 'commands']).toContain(on)
  }
  expect(vectors.cases.filter(({ errors }: { errors: unknown }) => errors !== null).length).toBeGreaterThan(
    60,
  )
})

it('commandry vectors contains only cases that this service passes', async () => {
  const url = await serving(new CommandRegistry())
  const { code, out, err } = await call(['vectors', '--against', url, '--application', app, '--guild', guild])
  expect([code, err, out]).toEqual([0, '', expect.any(String)])
  const [, passed, total] =
    /^(\d+) of (\d+) cases pass; 0 accepted, 0 refused without the expected errors; /.exec(out)!
  expect(Number(passed)).toBeGreaterThan(60)
  expect(passed).toBe(total)
  // Without a list of tokens and servers, any token is taken for any application and server.
  expect(Array.from(out.matchAll(/^[\d.]+-\d\d .*?(?=:)/gm), ([line]) => line)).toEqual([
    '1-03 a server without the app is refused',
    '5-01 the token of another application is refused',
    '7-01 a token of another application comes before the body',
  ])
})

it('commandry vectors distinguishes a service that accepts everything from one that refuses everything', async () => {
  const accepting = await listening((_, response) => void response.end('[]'))
  const lax = await call(['vectors', '--against', accepting, '--application', app])
  expect(lax).toMatchObject(ending(1, /^0 of (\d+) cases pass; \1 accepted, 0 refused/m))
  const strict = await call(['vectors', '--against', await refusing(400), '--application', app])
  expect(strict).toMatchObject(ending(1, /^name\.case: 400, 50035 "No"$/m))
})

it('commandry vectors counts server errors as refusals, and stops at a rate limit or a closed connection', async () => {
  const args = ['--application', app, '--run']
  const broken = await call(['vectors', ...args, await refusing(500)])
  expect(broken).toMatchObject(ending(1, /: 500, 50035 "No"\n0 of (\d+) cases pass; 0 accepted, \1 refused/))
  const limited = await call(['vectors', ...args, await refusing(429)])
  expect(limited).toMatchObject({ out: '', ...failing(1, 'responds with 429') })
})

it('commandry vectors shows on a terminal how far it is, once a second has passed', async () => {
  let text = ''
  let respond = () => {}
  const url = await listening((_, response) => {
    respond = () => response.end('[]')
    if (text !== '') respond()
  })
  const stderr = new Writable({
    write(chunk, _, done) {
      text += String(chunk)
      respond()
      done()
    },
  })
  const terminal = Object.assign(stderr, { isTTY: true })
  await call(['vectors', '--against', url, '--application', app], { stderr: terminal })
  expect(text).toMatch(/^\r\u001b\[K0 cases, 1 s/)
  expect(text).toMatch(/\r\u001b\[K$/)
})

it('commandry vectors reports in one line that a file cannot be written', async () => {
  const ended = await call(['vectors', '--out', 'no/such/v.json'])
  expect(ended).toMatchObject(failing(1, /^commandry vectors: ENOENT.*v\.json'\n$/))
})
