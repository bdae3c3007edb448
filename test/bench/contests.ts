/** The rows of the table whose contenders run in processes of their own. */
import { httpRows } from './http.ts'
import { readingRows } from './reading.ts'
import { registryRows } from './registry.ts'
import { storeRows } from './stores.ts'

export const contestRows = [...readingRows, ...registryRows, ...httpRows, ...storeRows]
