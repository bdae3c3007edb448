import { describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope, memoryStore, type Store } from 'commandry'

const scope = globalScope('1001')
const ping = (n: number) => ({ name: 'ping', description: `Answers with pong ${n}` })

/** A store that counts the calls of a registry, and registries over it. */
function counted() {
  const inner = memoryStore()
  const calls: string[] = []
  /** A registry has what it wrote until it is collected. */
  const kept: unknown[] = []
  const store: Store = {
    ...inner,
    read: (keys) => (calls.push('read'), inner.read(keys)),
    write: (...args) => (calls.push('write'), kept.push(args[2]), inner.write(...args)),
  }
  const open = () => new CommandRegistry({ store })
  const during = async (act: () => Promise<unknown>) => {
    calls.length = 0
    await act().catch(() => undefined)
    return calls.join(' ')
  }
  return { inner, open, during }
}

async function writtenTwice() {
  const { inner, open, during } = counted()
  const [one, other] = [open(), open()]
  await one.upsert(scope, ping(1))
  await one.upsert(scope, ping(2))
  return { inner, one, other, during }
}

describe('the round trips of a write', () => {
  it('are a read and a write until the registry has seen that it alone writes', async () => {
    const { open, during } = counted()
    const registry = open()
    const trips = []
    for (let n = 0; n < 4; n++) trips.push(await during(() => registry.upsert(scope, ping(n))))
    expect(trips).toEqual(['read write', 'read write', 'write', 'write'])
  })

  it('are one each for calls at once, which take turns', async () => {
    const { one, during } = await writtenTwice()
    const upserts = () => Promise.all([3, 4, 5, 6].map((n) => one.upsert(scope, ping(n))))
    expect(await during(upserts)).toBe('write write write write')
    expect((await one.list(scope)).map(({ description }) => description)).toEqual(['Answers with pong 6'])
  })

  it('are those of a lost race when another registry wrote, whose change is kept', async () => {
    const { one, other, during } = await writtenTwice()
    await other.upsert(scope, { name: 'pong', description: 'Answers with ping' })
    expect(await during(() => one.upsert(scope, ping(3)))).toBe('write read write')
    expect((await one.list(scope)).map(({ description }) => description)).toEqual([
      'Answers with pong 3',
      'Answers with ping',
    ])
  })

  it('are a read and a write while two registries take turns', async () => {
    const { one, other, during } = await writtenTwice()
    await other.upsert(scope, ping(3))
    await one.upsert(scope, ping(4))
    for (let n = 5; n < 9; n += 2) {
      expect(await during(() => other.upsert(scope, ping(n)))).toBe('read write')
      expect(await during(() => one.upsert(scope, ping(n + 1)))).toBe('read write')
    }
  })

  it('include a read before a call is refused or changes nothing', async () => {
    const { one, other, during } = await writtenTwice()
    const { id } = (await one.list(scope))[0]!
    expect(await during(() => one.upsert(scope, ping(2)))).toBe('read')
    expect(await during(() => one.upsert(scope, ping(3)))).toBe('read write')
    expect(await during(() => one.edit(scope, '999', { description: 'x' }))).toBe('read')
    await other.delete(scope, id)
    await one.upsert(scope, ping(4))
    await one.upsert(scope, ping(5))
    await other.delete(scope, (await other.list(scope))[0]!.id)
    // Only the read shows that the command is gone.
    expect(await during(() => one.upsert(scope, ping(5)))).toBe('read write')
    expect(await one.list(scope)).toHaveLength(1)
  })

  it('begin with a read after the document was removed from outside', async () => {
    const { inner, one, during } = await writtenTwice()
    await one.upsert(scope, ping(3))
    const [entry] = await inner.read(['scope/1001/global'])
    await inner.write('scope/1001/global', entry!.revision, undefined)
    expect(await during(() => one.upsert(scope, ping(4)))).toBe('write read write')
    expect(await during(() => one.upsert(scope, ping(5)))).toBe('read write')
  })
})
