import { sameJson } from '../../core/json.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { setFields, type OverwritePlan } from '../../commands/registry/changes.ts'

/** Pairs of a delete and a create that may be meant as one command with a new name. */
export function renamesOf({ deletes, creates }: OverwritePlan) {
  const left = new Set(creates)
  return deletes.flatMap((from) => {
    const rivals = [deletes, creates].map((list) => list.filter(({ type }) => type === from.type).length)
    const to = [...left].find((create) => resembles(from, create, Math.max(...rivals) === 1))
    if (to === undefined) return []
    left.delete(to)
    return [{ from, to }]
  })
}

/** @param only whether no other command of the type is deleted or created */
function resembles(from: ApplicationCommand, to: ApplicationCommand, only: boolean): boolean {
  if (from.type !== to.type) return false
  if (from.description === '' && from.options === undefined) return only
  const sameOptions = from.options !== undefined && sameJson(from.options, to.options, setFields)
  return sameOptions || (from.description !== '' && from.description === to.description)
}
