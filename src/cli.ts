#!/usr/bin/env node
/** The command line; `commandry help` lists what it can do. */
import { main } from './cli/main.ts'

process.exitCode = await main(process.argv.slice(2))
