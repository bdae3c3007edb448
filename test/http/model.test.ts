import fc from 'fast-check'
import { expect, it } from 'vitest'
import { base, guildBase, service } from './service.ts'

/** The expected commands of one scope, in order: name, type and last description. */
interface Modelled {
  readonly id: string
  type: number
  name: string
  nsfw: boolean
  /** Ids of the roles that may use it in the guild. */
  roles: string[]
}

const name = fc.constantFrom('alpha', 'beta', 'gamma')
const type = fc.constantFrom(1, 2, 3)
const place = fc.constantFrom(base, guildBase)
/** Picks an existing command, or an unknown one. */
const which = fc.nat({ max: 4 })
const item = fc.record({ name, type, nsfw: fc.boolean() })

const move = fc.oneof(
  fc.record({ kind: fc.constant('post'), place, item }),
  fc.record({
    kind: fc.constant('patch'),
    place,
    which,
    name: fc.option(name, { nil: undefined }),
    nsfw: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('delete'), place, which }),
  fc.record({
    kind: fc.constant('put'),
    place,
    items: fc.uniqueArray(item, { maxLength: 4, selector: ({ name, type }) => `${type}${name}` }),
  }),
  fc.record({ kind: fc.constant('permit'), which, roles: fc.uniqueArray(fc.constantFrom('1', '2', '3')) }),
  fc.record({ kind: fc.constant('bad'), place }),
)

const body = ({ name, type, nsfw }: { name: string; type: number; nsfw: boolean }) => ({
  name,
  type,
  nsfw,
  ...(type === 1 ? { description: 'd' } : undefined),
})

const manager = 'Bearer manager'

const same = (a: { name: string; type: number }, b: { name: string; type: number }) =>
  a.name === b.name && a.type === b.type

type Send = ReturnType<typeof service>['send']
type Model = Map<string, Modelled[]>

/** Sends the request of a move, and applies it to the model. */
async function apply(send: Send, model: Model, step: typeof move extends fc.Arbitrary<infer T> ? T : never) {
  if (step.kind === 'bad') {
    expect((await send('PUT', step.place, { body: [{ name: 'alpha' }] })).status).toBe(400)
  } else if (step.kind === 'permit') {
    const all = [...model.get(guildBase)!, ...model.get(base)!]
    const target = all[step.which]
    const permissions = step.roles.map((id) => ({ id, type: 1, permission: true }))
    const { status } = await send('PUT', `${guildBase}/${target?.id ?? '5'}/permissions`, {
      authorization: manager,
      body: { permissions },
    })
    expect(status).toBe(target === undefined ? 404 : 200)
    if (target !== undefined) target.roles = step.roles
  } else if (step.kind === 'post') {
    const list = model.get(step.place)!
    const known = list.find((other) => same(other, step.item))
    const answer = await send('POST', step.place, { body: body(step.item) })
    expect(answer.status).toBe(known === undefined ? 201 : 200)
    if (known === undefined) list.push({ ...step.item, id: answer.body.id, roles: [] })
    else Object.assign(known, step.item)
  } else if (step.kind === 'put') {
    const list = model.get(step.place)!
    const answer = await send('PUT', step.place, { body: step.items.map(body) })
    expect(answer.status).toBe(200)
    model.set(
      step.place,
      step.items.map((wanted, i) => {
        const known = list.find((other) => same(other, wanted))
        return { ...wanted, id: known?.id ?? answer.body[i].id, roles: known?.roles ?? [] }
      }),
    )
  } else {
    const list = model.get(step.place)!
    const target = list[step.which]
    const path = `${step.place}/${target?.id ?? '5'}`
    if (step.kind === 'delete') {
      expect((await send('DELETE', path)).status).toBe(target === undefined ? 404 : 204)
      model.set(
        step.place,
        list.filter((other) => other !== target),
      )
    } else {
      const { nsfw } = step
      const { status } = await send('PATCH', path, { body: { nsfw, name: step.name } })
      const renamed = target !== undefined && step.name !== undefined && step.name !== target.name
      const taken = renamed && list.some((other) => same(other, { type: target.type, name: step.name! }))
      expect(status).toBe(target === undefined ? 404 : taken ? 400 : 200)
      if (target !== undefined && !taken) {
        target.nsfw = nsfw
        if (renamed) Object.assign(target, { name: step.name, roles: [] })
      }
    }
  }
}

/** Expects that the service returns what the model has. */
async function compare(send: Send, model: Model) {
  for (const [path, list] of model) {
    const { body: listed } = await send('GET', path)
    expect(listed.map(({ id, name, type, nsfw }: Modelled) => ({ id, name, type, nsfw }))).toEqual(
      list.map(({ roles, ...rest }) => rest),
    )
    for (const { id, name } of list) expect((await send('GET', `${path}/${id}`)).body.name).toBe(name)
  }
  const { body: permissions } = await send('GET', `${guildBase}/permissions`)
  const permitted = [...model.values()].flat().filter(({ roles }) => roles.length > 0)
  expect(
    new Map(permissions.map((set: any) => [set.id, set.permissions.map((entry: any) => entry.id)])),
  ).toEqual(new Map(permitted.map(({ id, roles }) => [id, roles])))
}

it('[4.1-07] [4.2-07] [2.9-09] [4.4-01] behaves like a plain list after any sequence of requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 25 }), async (moves) => {
      const { send } = service()
      const model: Model = new Map([
        [base, []],
        [guildBase, []],
      ])
      for (const step of moves) await apply(send, model, step)
      await compare(send, model)
    }),
    { numRuns: 150 },
  )
})
