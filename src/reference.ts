/** The rules as data, for tools, docs and forms: the catalogue, the limits and the schemas. */

export { rules, type CatalogueRule as Rule } from './reference/rules.ts'
export type { RuleCode, RuleCodes } from './reference/catalogue.ts'
export { Limits } from './reference/limits.ts'
export {
  commandSchema,
  commandsSchema,
  permissionsSchema,
  type StandardSchema,
} from './reference/standard-schema.ts'
