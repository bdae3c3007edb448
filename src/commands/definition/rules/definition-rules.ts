/** Every rule about commands: the same rules that the readers run. */
import { availabilityRules } from './availability-rules.ts'
import { choiceRules } from './choice-rules.ts'
import { commandRules, descriptionRules, patchRules } from './command-rules.ts'
import { commandListRules } from './command-list-rules.ts'
import { localizedRules } from './localized-text-rules.ts'
import { nameRules } from './name-rules.ts'
import { optionListRules, optionRules } from './option-rules.ts'
import { shapeRules } from '../../../core/rules/shape-rules.ts'
import { sizeRules } from './size-rules.ts'

// A function, so that bundles that need no catalogue can drop it: a list made at the top of a module has to stay.
export function rulesOfCommands() {
  return [
    ...Object.values(commandRules),
    ...Object.values(nameRules),
    ...Object.values(descriptionRules),
    ...Object.values(localizedRules),
    ...Object.values(availabilityRules),
    ...Object.values(optionListRules),
    ...Object.values(optionRules),
    ...Object.values(choiceRules),
    ...sizeRules,
    ...commandListRules,
    ...Object.values(patchRules),
    ...shapeRules,
  ] as const
}

/** The code of a rule about commands. */
export type CommandRuleCode = ReturnType<typeof rulesOfCommands>[number]['code']
