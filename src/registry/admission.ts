/**
 * What is looked at in the state that is about to be written, whatever change led to it: create, edit and bulk
 * overwrite all pass here (clauses 4.2-07, 4.4-01, 8-01, 8-02).
 */
import { countRules, identity, surplus } from '../command/set.ts'
import { Report } from '../core/report.ts'
import { RegistryError } from './error.ts'
import type { ScopeRecord } from './record.ts'
import { dailyCreates, nameTaken } from '../command/scope-rules.ts'

export interface Admission {
  /** How many of the commands are new to the scope. */
  readonly created: number
  /** Seconds until creates are counted anew; asked for only when there are too many. */
  readonly secondsLeft: () => number
  /** The list that the commands were made from, one by one, when it was a list. */
  readonly bodies?: unknown
}

/** Admits the next state of a scope, or throws what forbids it. */
export function admit(next: ScopeRecord, { created, secondsLeft, bodies }: Admission): void {
  const report = new Report()
  for (const { index, type } of surplus(next.commands)) {
    const place = bodies === undefined ? undefined : index
    report.add(countRules[type], { actual: countRules[type].limit!.max! + 1 }, place)
  }
  if (report.issues !== null)
    throw new RegistryError('too_many_commands', { issues: report.issues, body: bodies })

  const names = new Map<string, number>()
  next.commands.forEach((command, index) => {
    const key = identity(command)
    if (!nameTaken.check(names.get(key))) {
      report.add(nameTaken, { name: command.name, type: command.type }, 'name')
      throw new RegistryError('name_taken', { issues: report.issues! })
    }
    names.set(key, index)
  })

  if (created > 0 && !dailyCreates.check(next.creates.count)) {
    report.add(dailyCreates, { actual: created, used: next.creates.count - created })
    throw new RegistryError('daily_creates_exhausted', { issues: report.issues!, retryAfter: secondsLeft() })
  }
}
