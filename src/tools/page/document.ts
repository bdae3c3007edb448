/** The page as one document that loads nothing else, and the policy that keeps it so. */
import { script, scriptHash, style, styleHash } from './assets.ts'

/** @param head further elements of the head; @param body elements before the script */
function documentOf(head = '', body = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${head}
<title>commandry</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>The workbench needs JavaScript.</noscript>${body}
<script>${script}</script>
</body>
</html>
`
}

/**
 * A policy: run the script of the page, use its style, and load nothing else.
 *
 * @param scripts the hashes of further scripts
 * @param images where files are loaded from
 */
const policyOf = (scripts = '', images = ''): readonly string[] => [
  "default-src 'none'",
  `script-src ${scriptHash}${scripts}`,
  `style-src ${styleHash}`,
  `img-src data:${images}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** The page of a server. It holds no data: the page asks for what it shows. */
export const page = documentOf()

/** The policy of the page of a server, which it may ask. */
export const pagePolicy = [...policyOf('', " 'self'"), "connect-src 'self'", "frame-ancestors 'none'"].join(
  '; ',
)

/**
 * The page as one file that needs no server and reaches none.
 *
 * @param engine the script of its service, and its hash
 * @param set definitions as JSON; empty for the samples
 */
export function pageFile(engine: { readonly script: string; readonly hash: string }, set: string): string {
  const policy = `\n<meta http-equiv="Content-Security-Policy" content="${policyOf(` ${engine.hash}`).join('; ')}">`
  const data = `\n<script type="application/json" id="set">${set.replaceAll('<', '\\u003c')}</script>`
  return documentOf(policy, `${data}\n<script>${engine.script}</script>`)
}
