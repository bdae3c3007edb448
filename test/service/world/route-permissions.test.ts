/** What the requests of a bot need, held against the pages of Discord, which the service did not write. */
import { expect, it } from 'vitest'
import { PermissionFlag } from 'commandry'
import type { Permission } from '../http/world/act-world.ts'
import { askBot, botId, openWorld } from '../http/world/act-world.ts'
import { reads, situations, type Situation } from '../http/world/situations.ts'
import { differences, namedByDiscord } from './route-permissions.ts'

const every = Object.keys(PermissionFlag).filter((name) => name !== 'ADMINISTRATOR') as Permission[]

/** What a request needed, with all permissions and without each of those. */
async function neededBy(request: Situation): Promise<ReadonlySet<Permission>> {
  const neededWith = async (held: readonly Permission[]) => {
    const opened = openWorld(held, 'bot', request)
    await askBot(opened, request)
    return opened.world.access.of(botId).permissions
  }
  const needed = new Set(await neededWith(every))
  for (const one of [...needed])
    for (const other of await neededWith(every.filter((name) => name !== one))) needed.add(other)
  return needed
}

const routes = new Map<string, Situation[]>()
for (const request of [...Object.values(situations).flat(), ...reads])
  routes.set(request[0], [...(routes.get(request[0]) ?? []), request])

it.each([...routes])('%s needs the permissions that its page names', async (route, requests) => {
  const needed = new Set<string>(['VIEW_CHANNEL'])
  for (const request of requests) for (const one of await neededBy(request)) needed.add(one)
  const named = new Set(namedByDiscord[route]?.split(' '))
  const only = [
    ...[...needed].filter((one) => !named.has(one) && one !== 'VIEW_CHANNEL').map((one) => `+${one}`),
    ...[...named].filter((one) => !needed.has(one)).map((one) => `-${one}`),
  ]
  const known = differences.filter(([, , ...others]) => others.includes(route)).map(([one]) => one)
  expect(only.sort()).toEqual(known.sort())
})

it('every route whose page names a permission is tried, and every difference is about one of them', () => {
  const tried = [...routes.keys()]
  expect(Object.keys(namedByDiscord).filter((route) => !tried.includes(route))).toEqual([])
  expect(differences.flatMap(([, , ...others]) => others).filter((route) => !tried.includes(route))).toEqual(
    [],
  )
})
