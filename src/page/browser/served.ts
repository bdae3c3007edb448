/** The page of a server. */
import { start } from './main.ts'

void start()
