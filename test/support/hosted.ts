import { serve, type ServeOptions } from 'commandry/node'
import { onTestFinished } from 'vitest'

/** The address of a Web handler, which is served until the end of the test. */
export async function hosted(handler: ServeOptions['handler']): Promise<string> {
  const serving = await serve({ handler })
  onTestFinished(() => serving.close())
  return serving.url
}
