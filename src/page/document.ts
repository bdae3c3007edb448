/** The page as one document that loads nothing else, and the policy that keeps it so. */
import { script, scriptHash, style, styleHash } from './assets.ts'

/** The whole page, as HTML. It holds no data: the page asks for what it shows. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>commandry</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>The workbench needs JavaScript.</noscript>
<script>${script}</script>
</body>
</html>
`

/** The policy of the page: run its own script, use its own style, and ask this server. */
export const pagePolicy = [
  "default-src 'none'",
  `script-src ${scriptHash}`,
  `style-src ${styleHash}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
