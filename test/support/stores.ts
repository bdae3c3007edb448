import { memoryStore, type Store } from 'commandry'

type Write = Store['write']

/** A store whose writes a function makes, which can count them, fail, or do something around them. */
export function storeWith(
  write: (apply: () => ReturnType<Write>, key: string) => ReturnType<Write>,
  inner: Store = memoryStore(),
): Store {
  return { ...inner, write: (...call) => write(() => inner.write(...call), call[0]) }
}

/** A store whose next write fails, either before or after it is applied. */
export function failingOnce(when: 'before' | 'after', error: Error): Store {
  let fails = true
  return storeWith(async (apply) => {
    if (!fails) return apply()
    fails = false
    if (when === 'after') await apply()
    throw error
  })
}
