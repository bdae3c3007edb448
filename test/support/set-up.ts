/** What holds for every test: the deadlines of the product are longer than those of users. */
import { lengthenDeadlines } from './deadlines.ts'

lengthenDeadlines()
