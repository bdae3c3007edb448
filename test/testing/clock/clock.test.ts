import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testbed } from 'commandry/testbed'
import { openTestbed } from '../../../src/testing/testbed/testbed.ts'
import { openProcessClock } from '../../../src/testing/clock/process-clock.ts'
import { freePort } from '../../support/ports.ts'
import { newDirectory } from '../../support/directory.ts'
import { buildProgram, runNode } from '../../support/programs.ts'
import { root } from '../../support/markdown.ts'
import { until } from '../../support/waiting.ts'

const folder = newDirectory()
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string) => join(folder, name)
const write = (name: string, text: string) => {
  writeFileSync(file(name), text)
  return file(name)
}
const program = (name: string) => buildProgram(new URL(`${name}.ts`, import.meta.url), file(`${name}.mjs`))

let clock = ''
beforeAll(async () => {
  clock = await buildProgram(new URL('src/clock.ts', root), file('clock.cjs'))
})

describe('commandry/clock', () => {
  it('moves the timers and dates of Node, and lets the program come to rest after each step', async () => {
    const { code, output } = await runNode([await program('timers-program')])
    expect(output).toMatch(/^(held \w+\n){6}$/)
    expect(code).toBe(0)
  })

  it('moves the bot with bed.advance: timers end, cooldowns pass, tokens expire, silence is found', async () => {
    const { code, output } = await runNode(['--require', clock, await program('bot-program')])
    expect([code, output]).toEqual([0, 'moved the bot\n'])
  })

  it('is named once in a warning where bed.advance moves the service alone', async () => {
    const { output } = await runNode([await program('bot-program'), 'without'])
    expect(output).toContain('moved the service')
    expect(output.match(/COMMANDRY_CLOCK.*load commandry\/clock before the bot/g)).toHaveLength(1)
  })

  it('moves marks, measures and the uptime of the process', async () => {
    const marks = write(
      'marks.cjs',
      `require('./clock.cjs')
      const clock = globalThis[Symbol.for('commandry.clock')]
      const up = process.uptime()
      const began = performance.mark('began').startTime
      clock.advance(60_000).then(() => {
        const took = performance.mark('ended').startTime - began
        const measured = [performance.measure('one', 'began'), performance.measure('two', { start: 'began' })]
        measured.push(performance.measure('three', 'began', 'ended'), performance.measure('four', { start: 0, duration: 60_000 }))
        console.log([took, (process.uptime() - up) * 1000, ...measured.map(({ duration }) => duration)].every((ms) => ms >= 60_000 && ms < 120_000))
      })`,
    )
    expect(await runNode([marks])).toEqual({ code: 0, output: 'true\n' })
  })

  it('moves the dates of vm contexts, but for a Date that the program gives them', async () => {
    const contexts = write(
      'contexts.cjs',
      `require('./clock.cjs')
      const vm = require('node:vm')
      const clock = globalThis[Symbol.for('commandry.clock')]
      const began = Date.now()
      const sandbox = vm.createContext({})
      const own = vm.createContext({ Date: { now: () => began } })
      clock.advance(60_000).then(() => {
        const times = [
          vm.runInContext('Date.now()', sandbox),
          vm.runInContext('+new Date()', sandbox),
          vm.runInNewContext('Date.now()', { x: 1 }),
          new vm.Script('new Date().getTime()').runInNewContext(),
        ]
        const isDate = vm.runInContext('new Date() instanceof Date && new Date(5).constructor === Date', sandbox)
        console.log(times.every((one) => one - began >= 60_000), isDate, Object.keys(sandbox), vm.runInContext('Date.now()', own) - began)
      })`,
    )
    expect(await runNode([contexts])).toEqual({ code: 0, output: 'true true [] 0\n' })
  })

  it('names the threads and programs that are alive and do not move, once each', async () => {
    const standing = write(
      'standing.cjs',
      `require('./clock.cjs')
      const { Worker } = require('node:worker_threads')
      const { spawn } = require('node:child_process')
      const clock = globalThis[Symbol.for('commandry.clock')]
      const worker = new Worker('setInterval(() => {}, 1000)', { eval: true })
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      const ended = spawn(process.execPath, ['-e', '1'])
      ended.on('exit', async () => {
        await clock.advance(1000)
        await clock.advance(1000)
        child.kill()
        await worker.terminate()
      })`,
    )
    const { code, output } = await runNode([standing])
    const warnings = output.match(/\[COMMANDRY_CLOCK\] Warning: .*/g)!
    expect(code).toBe(0)
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('advance does not move the timers and dates of worker thread 1')
    expect(warnings[1]).toContain('setInterval')
  })

  it('refuses to start after a library that keeps the timers of Node', async () => {
    mkdirSync(file('node_modules/discord.js'), { recursive: true })
    write('node_modules/discord.js/index.js', '')
    const late = write('late.cjs', "require('discord.js'); require('./clock.cjs')")
    expect((await runNode([late])).output).toContain(
      "Error: commandry/clock is loaded after discord.js, which keeps Node's timers; import it first",
    )
    const first = write('first.cjs', "require('./clock.cjs'); require('discord.js'); console.log('first')")
    expect(await runNode([first])).toEqual({ code: 0, output: 'first\n' })
  })

  it('is one clock where it is loaded twice', async () => {
    const twice = `const { setTimeout: one } = (require('./clock.cjs'), globalThis)
      delete require.cache[require.resolve('./clock.cjs')]
      require('./clock.cjs')
      console.log(one === globalThis.setTimeout)`
    expect((await runNode([write('twice.cjs', twice)])).output).toBe('true\n')
  })

  it('leaves a test runner that the command line started in real time', async () => {
    mkdirSync(file('node_modules/vitest'), { recursive: true })
    const runner = write('node_modules/vitest/run.cjs', 'console.log(setTimeout.toString().slice(0, 8))')
    const moved = { COMMANDRY_CLOCK: '1 ab 0' }
    expect((await runNode(['--require', clock, runner], moved)).output).toMatch(/^function/)
  })
})

describe('the clock of other processes', () => {
  it('moves every process that follows, also one that starts after it has moved', async () => {
    const moving = await openProcessClock()
    try {
      const ticking = write(
        'ticking.cjs',
        `const started = Date.now()
        let ticks = 0
        const day = setInterval(() => {
          if (++ticks < 3) return
          clearInterval(day)
          console.log(ticks, Date.now() - started >= 3 * 86_400_000)
        }, 86_400_000)
        console.log(new Date(started).getUTCFullYear())`,
      )
      const run = async () => {
        const running = runNode(['--require', clock, ticking], moving.environment())
        await until(() => moving.size === 1)
        const steps: number[] = []
        expect(moving.movesBots).toBe(true)
        await moving.advance(3 * 86_400_000, () => steps.push(moving.now()))
        expect(steps.length).toBeGreaterThan(3)
        return running
      }
      expect(moving.movesBots).toBe(false)
      const year = new Date().getUTCFullYear()
      expect((await run()).output).toBe(`${year}\n3 true\n`)
      await until(() => moving.size === 0)
      await moving.advance(366 * 86_400_000)
      expect((await run()).output).toBe(
        `${new Date(moving.now() - 3 * 86_400_000).getUTCFullYear()}\n3 true\n`,
      )
    } finally {
      moving.close()
    }
  })
})

/** The port, the word and the time of the variable. */
const followed = (moving: Awaited<ReturnType<typeof openProcessClock>>) =>
  moving.environment()['COMMANDRY_CLOCK']!.split(' ') as [string, string, string]

it('refuses an advance in which the timers of a program stay due, instead of going on for ever', async () => {
  const moving = await openProcessClock()
  try {
    const [port, word] = followed(moving)
    const socket = net.connect(Number(port), '127.0.0.1').setEncoding('utf8')
    socket.on('error', () => {}).write(`${JSON.stringify({ word })}\n`)
    let rest = ''
    socket.on('data', (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      for (const line of lines) socket.write(`${JSON.stringify({ id: JSON.parse(line).id, due: 0 })}\n`)
    })
    await until(() => moving.size === 1)
    await expect(moving.advance(1_000)).rejects.toThrow('advance: timers stay due after 10000 steps')
    socket.destroy()
  } finally {
    moving.close()
  }
})

it.each([
  ...['GET / HTTP/1.1\r\n\r\n', 'null\n', '{}'.repeat(64 * 1024)],
  ...['{"id":1,"due":0}\n', '{"word":"0"}\n', '{"word":""}\n', '{"word":null}\n'],
])('ends a connection to its port that is of no process which follows (%#)', async (text) => {
  const moving = await openProcessClock()
  try {
    const socket = net.connect(Number(followed(moving)[0]), '127.0.0.1')
    socket.on('error', () => {}).write(text)
    await once(socket.resume(), 'close')
    await until(() => !moving.movesBots)
    const before = moving.now()
    await moving.advance(60_000)
    expect(moving.now()).toBeGreaterThanOrEqual(before + 60_000)
  } finally {
    moving.close()
  }
})

it('moves no program that connects without the word, and waits for none', async () => {
  const moving = await openProcessClock()
  const silent = net.connect(Number(followed(moving)[0]), '127.0.0.1')
  try {
    await once(silent, 'connect')
    await moving.advance(60_000)
    expect([moving.size, moving.movesBots]).toEqual([0, false])
  } finally {
    silent.destroy()
    moving.close()
  }
})

it('signs with the time of a program whose clock it moves', async () => {
  const port = await freePort()
  // Libraries such as slash-create refuse what was signed some seconds ago.
  const server = write(
    'server.mjs',
    `import { createServer } from 'node:http'
    createServer((request, response) => {
      const age = Date.now() - 1_000 * Number(request.headers['x-signature-timestamp'])
      response.writeHead(Math.abs(age) > 5_000 ? 401 : 200, { 'content-type': 'application/json' })
      response.end('{"type":4,"data":{"content":"pong"}}')
      if (request.method === 'DELETE') process.exit()
    }).listen(${port}, '127.0.0.1')`,
  )
  const moving = await openProcessClock()
  const endpoint = `http://127.0.0.1:${port}/`
  const bed = await openTestbed({ commands: [{ name: 'ping', description: 'x' }], endpoint }, moving)
  const ended = runNode(['--require', clock, server], moving.environment())
  try {
    await until(() => moving.size === 1 && fetch(endpoint))
    await bed.advance('1m')
    expect((await bed.as('ada').use('/ping')).content).toBe('pong')
  } finally {
    await fetch(endpoint, { method: 'DELETE' }).catch(() => {})
    await ended
    await bed.close()
    moving.close()
  }
})

describe('what the library waits for', () => {
  it('is in real time while the fake timers of a test runner are on', async () => {
    const commands = [{ name: 'slow', description: 'x' }]
    const bed = await testbed({
      commands,
      endpoint: async (request) => {
        const { token, application_id: id } = (await request.json()) as any
        setTimeout(() => {
          void fetch(`${bed.rest}/v10/webhooks/${id}/${token}/messages/@original`, {
            method: 'PATCH',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ content: 'edited' }),
          })
        }, 20_000)
        return Response.json({ type: 4, data: { content: 'first' } })
      },
    })
    try {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] })
      const shown = await bed.as('ada').use('/slow')
      const edited = shown.edited()
      await vi.advanceTimersByTimeAsync(21_000)
      expect((await edited).content).toBe('edited')
    } finally {
      vi.useRealTimers()
      await bed.close()
    }
  })
})
