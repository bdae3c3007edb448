/** The script of the page, of a server or as one file, which brings its service. */
import type { OpenEngine } from './engine.ts'
import { openFile } from './file.ts'
import { openServed } from './served.ts'

const { openEngine } = globalThis as { openEngine?: OpenEngine }
void (openEngine === undefined ? openServed() : openFile(openEngine))
