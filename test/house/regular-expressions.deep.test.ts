import { expect, it } from 'vitest'
import { slowTexts } from './slow-texts.ts'

it.each([
  /<\/([^:>]+):\d+>/g,
  /<(\/?)(\w+)((?:"[^"]*"|[^">])*?)(\/?)>|([^<]+)/g,
  /\b(?:node|bun)\b.*\bdeploy[\w.-]*\.js\b/i,
  /name="json"(?:\r\n[^\r\n]+)*\r\n\r\n(.*?)\r\n--/su,
  /\|\|(.+?)\|\|x/sy,
  /\[([^\]\n]+)\]\((https?:\/\/[^\s>)]+)\)/y,
])('a regular expression of src would be seen to be slow: %s', (expression) =>
  expect(slowTexts(expression)).not.toEqual([]),
)
