/** Scores a service for tests by the rules that it enforces, and compares it with the decisions of this library. */
import { globalScope } from '../../../commands/registry/scope.ts'
import { counted } from '../../../core/text.ts'
import { probes } from '../../../reference/probes/all-probes.ts'
import { EVERYWHERE, type Probe } from '../../../reference/probes/probe.ts'
import { CommandError } from '../base/errors.ts'
import { print, withProgress, type Io } from '../base/io.ts'
import type { Remote } from '../deployed/remote.ts'
import { caseProbes, valid, type Case } from './cases.ts'
import { runProbes, type Observation, type ProbePlace } from './run-probes.ts'
import { senderOf } from './sender.ts'
import { askWith, lookAround, openChannel, restore, type Surroundings } from './surroundings.ts'

/** @returns the exit code: 0 when every case passes; decisions do not count */
export async function scoreService(
  io: Io,
  service: Remote,
  cases: readonly Case[],
  application: string,
  guild: string | undefined,
): Promise<number> {
  let count = 0
  const observe = async (place: ProbePlace, some: readonly Probe[], nameOf: (probe: Probe) => string) => {
    const observed: Observation[] = []
    await runProbes(io, place, some, (one) => {
      count = observed.push(one)
      if (one.outcome === 'otherwise') print(io, `${nameOf(one.probe)}: ${service.printable(one.came)}`)
    })
    return observed
  }
  const scoring = async () => {
    const { send } = senderOf(service, false)
    const ask = askWith(io, send, false)
    const ids = { application, guild }
    const unseen: Surroundings = { commands: {}, names: ids, unmet: () => 'the application is not shown' }
    const found = await lookAround(ask, ids).catch((error: Error) => {
      if (error instanceof CommandError) return unseen
      throw error
    })
    const entry = (found.commands[EVERYWHERE] ?? []).filter(({ type }) => type === 4)
    // A service that refuses a valid command cannot be scored.
    await service.overwrite(globalScope(application), [valid, ...entry])
    const place = 'commandry-vectors'
    const channel = guild === undefined ? undefined : (await openChannel(ask, guild, place)).id
    const names = { ...found.names, channel, place }
    const at = { ...found, send, isPatient: false, names, kept: { [EVERYWHERE]: entry } }
    const rules = await observe(at, caseProbes(cases, guild !== undefined, false), ({ holds }) => holds)
    print(io, casesText(rules, cases.length))
    const decisions = await observe(at, probes, ({ clause, holds }) => `${clause} ${holds}`)
    print(io, decisionsText(decisions))
    await restore(ask, ids, found.commands, place)
    return rules.every(({ outcome }) => outcome === 'as decided') ? 0 : 1
  }
  return withProgress(io, () => counted(count, 'case'), scoring())
}

function casesText(observed: readonly Observation[], all: number): string {
  const total = observed.length
  const passed = observed.filter(({ outcome }) => outcome === 'as decided').length
  const accepted = observed.filter(({ response }) => response !== undefined && response.status < 300).length
  const refused = `${total - passed - accepted} refused without the expected errors`
  const skipped = `${all - total} skipped, because a bulk overwrite cannot show them`
  return `${passed} of ${total} cases pass; ${accepted} accepted, ${refused}; ${skipped}`
}

function decisionsText(observed: readonly Observation[]): string {
  const count = (outcome: string) => observed.filter((one) => one.outcome === outcome).length
  const others = `${count('otherwise')} otherwise, ${count('not observed')} not observed`
  return `${count('as decided')} of ${observed.length} probes are as decided; ${others}`
}
