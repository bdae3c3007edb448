/** For adapters to databases that store text: all but the statements of the database. */

export { keyPages, textStore, type TextEngine, type TextRow, type TextWrite } from './text-store.ts'
