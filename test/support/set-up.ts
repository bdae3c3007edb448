/**
 * What holds for every test. Properties run from one fixed seed, so that every run is the same. To search further, choose
 * others: `PROPERTY_SEED=7 npm test`. The deadlines of the product are longer than those of users.
 */
import fc from 'fast-check'
import { lengthenDeadlines } from './deadlines.ts'

const seed = Number(process.env.PROPERTY_SEED ?? 1)
if (!Number.isSafeInteger(seed)) throw new TypeError('PROPERTY_SEED is a whole number')
fc.configureGlobal({ seed })

lengthenDeadlines()
