/**
 * The script and the style of the page, and the hashes its policy names them by. The build replaces this module by
 * the bundle of `browser/entry.ts` (see `test/package/page.mjs`).
 */
export const script: string = ''
export const style: string = ''
/** `'sha256-…'`, as a Content-Security-Policy has it. */
export const scriptHash: string = ''
export const styleHash: string = ''
