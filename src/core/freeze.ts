/**
 * Freezes a value and all it holds, and returns it. Stops at what is frozen already, so what was frozen once
 * costs nothing again. Meant for values this library built itself: their depth is bounded.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) deepFreeze(value[i])
  else for (const key in value) deepFreeze(value[key])
  return value
}
