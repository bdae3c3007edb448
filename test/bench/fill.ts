/** Puts the commands of one application into a store as those of many others, much faster than through a registry. */
import type { Json, Store } from 'commandry'

export async function fillStore(store: Store, application: string, from: number, to: number): Promise<void> {
  const key = `scope/${application}/global`
  const [entry] = await store.read([key])
  // A value of its own for each, as a registry would write.
  const text = JSON.stringify(entry!.value).replaceAll(`"${application}"`, '"application"')
  for (let n = from; n < to; n++) {
    // None is the start of another, and they do not come in order.
    const id = String(5_000_000_000 + ((n * 7_919) % 1_000_003))
    await store.write(
      `scope/${id}/global`,
      null,
      JSON.parse(text.replaceAll('"application"', `"${id}"`)) as Json,
    )
  }
}
