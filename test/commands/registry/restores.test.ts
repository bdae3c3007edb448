/** Registries that write alone, and documents that are restored from backups below them. */
import { describe, expect, it } from 'vitest'
import { AdjustableStore } from '../../testing/store-contract/wrong-stores/adjustable-store.ts'
import { seed } from '../../support/properties.ts'
import { seeded } from '../../support/random.ts'
import { restoreRepeatedly, workUnderRestores } from '../../support/restored-history.ts'

/** Four registries on one store. @param counts whether its revisions count from the restored number */
function worked(from: number, counts: boolean) {
  const store = new AdjustableStore()
  const backUp = async () => {
    const [restore, { writes }] = [store.keep(), store]
    return () => {
      restore()
      if (counts) store.writes = writes
    }
  }
  const random = seeded(from)
  return workUnderRestores({
    stores: [store, store, store, store],
    random,
    disturb: (history) => restoreRepeatedly(history, backUp, random, 12),
  })
}

describe('registries over documents that are restored', () => {
  it.each([seed, seed + 1, seed + 2])(
    'base each write on the document at its revision, and lose no later one (%i)',
    async (from) => {
      const { history, acknowledged, unread } = await worked(from, false)
      expect(history.restores).toHaveLength(12)
      expect(acknowledged).toBeGreaterThan(100)
      expect(unread).toBeGreaterThan(10)
    },
  )

  it('are caught over a store that counts its revisions from the restored number', async () => {
    await expect(worked(seed, true)).rejects.toThrow(/was given again|has two documents/)
  })
})
