// Bun has no globals on globalThis before a test file imports them.
import { expect, test } from 'bun:test'
Object.assign(globalThis, { expect, test })
await import('./spec.mjs')
