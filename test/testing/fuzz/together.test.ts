/** Two people who use a bot at once: what `fuzz` finds in bots with a planted fault, and not in bots without one. */
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { fuzz, type FuzzOptions } from 'commandry/fuzz'
import { testbed, type Testbed } from 'commandry/testbed'
import { fuzzEndpoint, ping, row, runTest, withEndpoint } from './bot.ts'

/** A bot that needs time: each call waits for another one, but no longer than a database may take. */
function slowness() {
  let other: (() => void) | undefined
  return () =>
    new Promise<void>((resolve) => {
      other?.()
      if (other !== undefined) return resolve()
      const timer = setTimeout(() => other?.(), 500)
      other = () => {
        clearTimeout(timer)
        other = undefined
        resolve()
      }
    })
}
const button = { type: 2, style: 1, label: 'Claim', custom_id: 'claim' }
const offer = { type: 4, data: { content: 'One coin is left', components: row(button) } }
const said = (content: string) => ({ type: 4, data: { content, flags: 64 } })

/** Gives a coin to whoever presses first. With the fault, it looks and takes in two turns, so that two get it. */
function coins(isFaulty: boolean) {
  const turn = slowness()
  let left = 1
  const given: string[] = []
  return {
    given,
    async answer(interaction: any) {
      if (interaction.type === 2) {
        left = 1
        given.length = 0
        return offer
      }
      const isThere = left > 0
      if (isFaulty) await turn()
      if (!isThere) return said('too late')
      if (!isFaulty && left === 0) return said('too late')
      left = 0
      given.push(interaction.member.user.username)
      return said('yours')
    },
    invariant: () => (given.length > 1 ? `${given.join(' and ')} both got the coin` : undefined),
  }
}

const together = (answer: (interaction: any) => object | Promise<object>, options: FuzzOptions = {}) =>
  withEndpoint(answer, {}, async (bed) => ({
    bed,
    report: await fuzz(bed, { runs: 1, people: 2, ...options }),
  }))

describe('fuzz with two people', () => {
  it('finds a coin that two people get, with the smallest schedule, how often it failed, and a test', async () => {
    const bot = coins(true)
    const { report } = await together(bot.answer, { invariant: bot.invariant })
    expect(report.failures).toMatchObject([
      {
        code: 'broken_invariant',
        command: '/ping',
        line: '/ping',
        step: 'press Claim, twice by one person at once',
        message: 'ada and ada both got the coin',
        repeated: true,
        together: { other: 'grace', failed: 6, of: 6 },
      },
    ])
    expect(report.ok).toBe(false)
  })

  it('finds nothing in the bot that looks and takes in one turn', async () => {
    const bot = coins(false)
    const { report } = await together(bot.answer, { invariant: bot.invariant })
    expect(report.failures).toEqual([])
  })

  it.each([
    [
      'an arrow function',
      (coins: any) => ({ invariant: () => coins.given.length < 2 || 'two got the coin' }),
    ],
    [
      'a method that throws',
      (coins: any) => ({
        async invariant() {
          if (coins.given.length > 1) throw new Error('two got the coin')
        },
      }),
    ],
    ['a function', (coins: any) => ({ invariant: function () { return coins.given.length < 2 } })], // prettier-ignore
  ])('writes a test that fails while %s says so, and passes once the bot is repaired', async (_, rule) => {
    const faulty = coins(true)
    const test = await withEndpoint(faulty.answer, {}, async (bed: Testbed) => {
      const { failures } = await fuzz(bed, { runs: 1, people: 2, ...rule(faulty) })
      faulty.given.length = 0
      const { test } = failures[0]!
      await expect(runTest(bed, test, { coins: faulty })).rejects.toThrow(/two got the coin|false/)
      return test
    })
    const repaired = coins(false)
    await withEndpoint(repaired.answer, {}, (bed) => runTest(bed, test, { coins: repaired }))
  })

  it('counts the schedules, also of a bot without a fault', async () => {
    const { report } = await together(() => said('done'))
    expect([report.failures, report.schedules]).toEqual([[], 6])
    expect((await fuzzEndpoint(() => said('done'))).schedules).toBe(0)
  })

  it('does not blame a bot that answers too late once', async () => {
    let uses = 0
    // One use alone, one that is tried, and the first of two people.
    const { report } = await together(() => (++uses === 3 ? new Promise<never>(() => {}) : said('done')))
    expect(report).toMatchObject({
      ok: true,
      failures: [],
      warnings: [{ code: 'no_answer', step: 'use, one after the other', failed: 1, of: 2 }],
    })
  })

  it('finds a bot that leaves the press of another person unanswered', async () => {
    const { report } = await together((interaction) => {
      if (interaction.type === 2) return offer
      return interaction.member.user.username === 'ada' ? said('yours') : new Promise<never>(() => {})
    })
    expect(report.failures).toMatchObject([
      { code: 'no_answer', step: 'press Claim, one after the other', together: { other: 'grace' } },
    ])
    expect(report.failures[0]!.test).toContain(".press(shown, 'Claim')")
  })

  it('finds two uses of one command at once', async () => {
    const turn = slowness()
    let running = 0
    let most = 0
    const answer = async () => {
      most = Math.max(most, ++running)
      await turn()
      running--
      return said('done')
    }
    const invariant = () => {
      const found = most
      most = 0
      return found < 2
    }
    const { report } = await together(answer, { invariant })
    expect(report.failures).toMatchObject([
      {
        code: 'broken_invariant',
        step: 'use, twice by one person at once',
        message: 'the invariant is false',
      },
    ])
  })

  it('does not report again what one person alone has seen', async () => {
    const { report } = await together((interaction) =>
      interaction.type === 2 ? offer : { type: 4, data: { content: 'x'.repeat(2_001) } },
    )
    expect(report.failures).toMatchObject([{ code: 'refused_answer' }])
    expect(report.failures[0]!.together).toBeUndefined()
  })

  it.each([
    ['reports a bot over the gateway that stays away after a drop', false],
    ['finds nothing in a bot that logs in again after a drop', true],
  ])('%s', async (_, comesBack) => {
    const bed = await testbed({ commands: [ping] as never[], ws: { WebSocketServer }, timeout: 1_000 })
    const login = async () => {
      const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
      socket.on('open', () =>
        // No intents: what it receives are interactions.
        socket.send(JSON.stringify({ op: 2, d: { token: bed.token, intents: 0, properties: {} } })),
      )
      socket.on('message', async (text) => {
        const { t, d } = JSON.parse(String(text))
        if (t !== 'INTERACTION_CREATE') return
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify(said('pong'))
        await fetch(`${bed.rest}/v10/interactions/${d.id}/${d.token}/callback`, {
          method: 'POST',
          headers,
          body,
        })
      })
      socket.on('close', () => comesBack && isOpen && void login())
    }
    let isOpen = true
    try {
      await login()
      await bed.online()
      const { failures } = await fuzz(bed, { runs: 1, people: 2 })
      const lost = { code: 'lost_connection', step: 'use, after the gateway has dropped' }
      expect(failures).toMatchObject(comesBack ? [] : [lost])
    } finally {
      isOpen = false
      await bed.close()
    }
  })

  it('reports a command that fails for both people only once', async () => {
    const { report } = await together(() => Promise.reject(new Error('no')))
    expect(report.failures).toHaveLength(1)
    expect(report.failures[0]!.together).toBeUndefined()
  })

  it('says when two people are at it', async () => {
    const phases = new Set<string>()
    await together(() => offer, { onProgress: ({ phase }) => void phases.add(phase) })
    expect([...phases]).toEqual(['uses', 'two people'])
  })

  it('leaves out a command that nobody can use', async () => {
    const hidden = { name: 'hidden', description: 'x', contexts: [2] }
    const report = await withEndpoint(
      () => said('pong'),
      { commands: [ping, hidden] as never[] },
      (bed) => fuzz(bed, { runs: 1, people: 2 }),
    )
    expect(report.failures).toEqual([])
    expect(report.commands).toMatchObject([{ available: true }, { available: false }])
  })

  it('refuses other numbers of people', async () => {
    await expect(together(() => offer, { people: 3 as never })).rejects.toThrow('people: expected 1 or 2')
  })
})
