/** The documentation of a rule, from the folder of a project that has installed the package. */
export function ruleUrl(code: string): string {
  return `node_modules/commandry/docs/rules.md#${code.replaceAll(/[._]/g, '-')}`
}
