/** The path that libraries complete with the version of the API. */
export const API_PATH = '/api'

/** The base path of Discord's API (clause 9-01). */
export const DEFAULT_BASE_PATH = `${API_PATH}/v10`

/**
 * The base paths that a service answers: its own, and beside one that ends with `/v10` the older versions and the path
 * without a version, as old clients send them.
 */
export function basePathsOf(basePath: string): readonly string[] {
  const [, unversioned] = /^(.*)\/v10$/.exec(basePath) ?? []
  if (unversioned === undefined) return [basePath]
  return [...['v10', 'v9', 'v8', 'v7', 'v6'].map((version) => `${unversioned}/${version}`), unversioned]
}

/** Whether a URL keeps the text as its path: no query, nothing that a URL would encode or resolve. */
export function isBasePath(text: unknown): boolean {
  if (text === '') return true
  if (typeof text !== 'string' || !/^\/[^*]*[^/*]$/.test(text)) return false
  const url = `http://localhost${text}`
  return URL.canParse(url) && new URL(url).pathname === text
}
