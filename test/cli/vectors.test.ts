import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { CommandRegistry, rules } from 'commandry'
import { listening } from '../support/listening.ts'
import { call } from './program.ts'
import { serving } from './services.ts'
import { app, guild } from '../support/fixtures.ts'

describe('commandry vectors', () => {
  it('writes every rule as cases, in JSON', async () => {
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

  it('contains only cases that this service passes', async () => {
    const url = await serving(new CommandRegistry())
    const { code, out, err } = await call(['vectors', '--run', url, '--application', app, '--guild', guild])
    expect([code, err, out]).toEqual([0, '', expect.any(String)])
    const [, passed, total] =
      /^(\d+) of (\d+) cases pass; 0 accepted, 0 refused without the expected errors; /.exec(out)!
    expect(Number(passed)).toBeGreaterThan(60)
    expect(passed).toBe(total)
  })

  it('distinguishes a service that accepts everything from one that refuses everything', async () => {
    const accepting = await listening((_, response) => void response.end('[]'))
    const lax = await call(['vectors', '--run', accepting, '--application', app])
    expect([lax.code, lax.out]).toEqual([
      1,
      expect.stringMatching(/^0 of (\d+) cases pass; \1 accepted, 0 refused/m),
    ])
    let requests = 0
    const refusing = await listening((_, response) => {
      response
        .writeHead(requests++ === 0 ? 200 : 400)
        .end(requests === 1 ? '[]' : '{"message":"No","code":50035}')
    })
    const strict = await call(['vectors', '--run', refusing, '--application', app])
    expect([strict.code, strict.out]).toEqual([
      1,
      expect.stringMatching(/^name\.case: refused, without APPLICATION_COMMAND_INVALID_NAME at 0\.name/m),
    ])
  })

  it('counts server errors as refusals, and stops at a rate limit or a closed connection', async () => {
    const failing = (status: number) => {
      let requests = 0
      return listening((_, response) => {
        const first = requests++ === 0
        response.writeHead(first ? 200 : status).end(first ? '[]' : '{"message":"No"}')
      })
    }
    const args = ['--application', app, '--run']
    const broken = await call(['vectors', ...args, await failing(500)])
    expect([broken.code, broken.out]).toEqual([
      1,
      expect.stringMatching(/: responds with 500\n0 of (\d+) cases pass; 0 accepted, \1 refused/),
    ])
    const limited = await call(['vectors', ...args, await failing(429)])
    expect([limited.code, limited.out, limited.err]).toEqual([
      1,
      '',
      expect.stringContaining('responds with 429'),
    ])
  })

  it('shows on a terminal how far it is, once a second has passed', async () => {
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
    await call(['vectors', '--run', url, '--application', app], { stderr: terminal })
    expect(text).toMatch(/^\r\u001b\[K0 cases, 1 s/)
    expect(text).toMatch(/\r\u001b\[K$/)
  })

  it('reports in one line that a file cannot be written', async () => {
    const { code, err } = await call(['vectors', '--out', 'no/such/v.json'])
    expect([code, err]).toEqual([1, expect.stringMatching(/^commandry vectors: ENOENT.*v\.json'\n$/)])
  })

  it('refuses to run against Discord or without an application', async () => {
    for (const [args, message] of [
      [['--run', 'discord', '--application', app], '--run takes the URL of a service for tests'],
      [['--run', 'http://127.0.0.1:1'], '--application is required'],
      [['more'], 'unexpected argument "more"'],
    ] as const)
      expect(await call(['vectors', ...args])).toMatchObject({
        code: 2,
        err: expect.stringContaining(message),
      })
  })
})
