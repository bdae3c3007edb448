import type { Incoming } from '../../support/handlers.ts'

/** A request with a body. */
export const incoming = (text: string, authorization: string | null = null): Incoming => ({
  ...{
    path: '/x',
    method: 'POST',
    query: '',
    raw: null,
    header: () => authorization,
    isAborted: () => false,
    abandon: () => {},
  },
  body: async () => new TextEncoder().encode(text),
})
