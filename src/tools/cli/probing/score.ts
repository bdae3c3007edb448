/** Scores a service for tests by the rules that it enforces, and by the decisions that it shares. */
import { globalScope } from '../../../commands/registry/scope.ts'
import { counted } from '../../../core/text.ts'
import { probes } from '../../../reference/probes/all-probes.ts'
import { EVERYWHERE, type Probe } from '../../../reference/probes/probe.ts'
import { CommandError } from '../base/errors.ts'
import { print, withProgress, type Io } from '../base/io.ts'
import type { Service } from '../deployed/remote.ts'
import { caseProbes, valid, type Case } from './cases.ts'
import { runProbes, type Observation } from './run-probes.ts'
import { senderOf } from './sender.ts'
import { askWith, lookAround, openChannel, restore, type Surroundings } from './surroundings.ts'

/** @returns the exit code: 0 when every case passes, and every decision that can be observed is shared */
export async function scoreService(
  io: Io,
  service: Service,
  cases: readonly Case[],
  application: string,
  guild: string | undefined,
): Promise<number> {
  const { send } = senderOf(service, false)
  const ask = askWith(io, send, false)
  const ids = { application, guild }
  const nowhere: Surroundings = { commands: {}, names: ids, unmet: () => 'the service shows no application' }
  const found = await lookAround(ask, ids).catch((error: Error) => {
    if (error instanceof CommandError) return nowhere
    throw error
  })
  const entry = (found.commands[EVERYWHERE] ?? []).filter(({ type }) => type === 4)
  // A service that refuses a valid command cannot be scored.
  await service.overwrite(globalScope(application), [valid, ...entry])
  const place = 'commandry-vectors'
  const channel = guild === undefined ? undefined : (await openChannel(ask, guild, place)).id
  const names = { ...found.names, channel, place }
  const at = { ...found, send, isPatient: false, names, kept: { [EVERYWHERE]: entry } }
  const ofRules = caseProbes(cases, guild !== undefined, false)
  const observed: Observation[] = []
  const run = async (some: readonly Probe[]) => {
    const start = observed.length
    await runProbes(io, at, some, (one) => {
      observed.push(one)
      if (one.outcome !== 'otherwise') return
      print(
        io,
        `${some === probes ? `${one.probe.clause} ` : ''}${one.probe.holds}: ${service.printable(one.came)}`,
      )
    })
    return observed.slice(start)
  }
  const scoring = (async () => [await run(ofRules), await run(probes)])()
  const [rules = [], decisions = []] = await withProgress(io, () => counted(observed.length, 'case'), scoring)
  await restore(ask, ids, found.commands, place)
  const passed = rules.filter(({ outcome }) => outcome === 'as decided').length
  const accepted = rules.filter(({ response }) => response !== undefined && response.status < 300).length
  const refused = `${rules.length - passed - accepted} refused without the expected errors`
  const skipped = `${cases.length - rules.length} skipped, because a bulk overwrite cannot show them`
  print(io, `${passed} of ${rules.length} cases pass; ${accepted} accepted, ${refused}; ${skipped}`)
  const count = (outcome: string) => decisions.filter((one) => one.outcome === outcome).length
  print(
    io,
    `${count('as decided')} of ${decisions.length} probes are as decided; ${count('otherwise')} otherwise, ${count('not observed')} not observed`,
  )
  return observed.some(({ outcome }) => outcome === 'otherwise') || passed < rules.length ? 1 : 0
}
