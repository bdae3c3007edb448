/** The page as one document that loads nothing else, and the policy that keeps it so. */
import { script, scriptHash, style, styleHash } from './assets.ts'

/** @param head further elements of the head; @param body elements before the script */
function documentOf(code: string, head = '', body = ''): string {
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
<script>${code}</script>
</body>
</html>
`
}

/** A policy: run this script, use the style of the page, and load nothing else. @param images where files are loaded from */
const policyOf = (codeHash: string, images = ''): readonly string[] => [
  "default-src 'none'",
  `script-src ${codeHash}`,
  `style-src ${styleHash}`,
  `img-src data:${images}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** The page of a server. It holds no data: the page asks for what it shows. */
export const page = documentOf(script)

/** The policy of the page of a server, which it may ask. */
export const pagePolicy = [
  ...policyOf(scriptHash, " 'self'"),
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The page as one file that needs no server and reaches none. @param set definitions as JSON; empty for the samples */
export function pageFile(
  file: { readonly fileScript: string; readonly fileHash: string },
  set: string,
): string {
  const policy = `\n<meta http-equiv="Content-Security-Policy" content="${policyOf(file.fileHash).join('; ')}">`
  const data = `\n<script type="application/json" id="set">${set.replaceAll('<', '\\u003c')}</script>`
  return documentOf(file.fileScript, policy, data)
}
