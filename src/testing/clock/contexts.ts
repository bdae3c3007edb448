/** The contexts of `node:vm`, which have a `Date` of their own. Their timers are those that a program gives them. */
import vm from 'node:vm'

/**
 * Replaces the `Date` of each context that is created from now on, unless the program gives it one. Call
 * `syncBuiltinESMExports` after it.
 */
export function replaceInContexts(replaced: (original: DateConstructor) => DateConstructor): void {
  const { createContext } = vm
  const create: typeof createContext = (object, options) => {
    const isOwn = typeof object === 'object' && (vm.isContext(object) || 'Date' in object)
    const context = createContext(object, options)
    if (isOwn) return context
    const globals = vm.runInContext('globalThis', context) as { Date: DateConstructor }
    const value = replaced(globals.Date)
    Object.defineProperty(globals, 'Date', { value, configurable: true, writable: true })
    return context
  }
  vm.createContext = create
  vm.Script.prototype.runInNewContext = function (object, options) {
    return this.runInContext(create(object, contextOptions(options)), options) as unknown
  }
  vm.runInNewContext = (code, object, options) => {
    const given = typeof options === 'string' ? { filename: options } : options
    return new vm.Script(code, given).runInNewContext(object, given) as unknown
  }
}

function contextOptions(options: vm.RunningScriptInNewContextOptions = {}): vm.CreateContextOptions {
  const { contextName: name, contextOrigin: origin, contextCodeGeneration, microtaskMode } = options
  return {
    ...(name !== undefined && { name }),
    ...(origin !== undefined && { origin }),
    ...(contextCodeGeneration !== undefined && { codeGeneration: contextCodeGeneration }),
    ...(microtaskMode !== undefined && { microtaskMode }),
  }
}
