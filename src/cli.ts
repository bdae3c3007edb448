#!/usr/bin/env node
/** The command line: `commandry serve`, `commandry check`. */
import { main } from './cli/main.ts'

process.exitCode = await main(process.argv.slice(2))
