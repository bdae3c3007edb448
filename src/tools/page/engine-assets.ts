/**
 * The script of the service of a page as one file, compressed with Brotli, in Base64, and its hash. The build replaces this
 * module (see `test/package/page.mjs`).
 */
export const packedEngine: string = ''
/** `'sha256-…'`, as a Content-Security-Policy has it. */
export const engineHash: string = ''
