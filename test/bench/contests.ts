/** Every row that contenders race in. */
import { httpRows } from './http.ts'
import { races } from './races.ts'
import { readingRows } from './reading.ts'
import { storeRows } from './stores.ts'

export const contestRows = [...races, ...readingRows, ...httpRows, ...storeRows]
