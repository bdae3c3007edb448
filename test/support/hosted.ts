import { serve, type ServeOptions, type Serving } from 'commandry/node'
import { afterEach } from 'vitest'

const open: Serving[] = []

afterEach(async () => {
  for (const serving of open.splice(0)) await serving.close()
})

/** The address of a Web handler, which is served until the end of the test. */
export async function hosted(handler: ServeOptions['handler']): Promise<string> {
  const serving = await serve({ handler })
  open.push(serving)
  return serving.url
}
