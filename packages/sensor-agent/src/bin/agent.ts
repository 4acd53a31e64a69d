#!/usr/bin/env node
/** posrep-agent: the sensor agent as a command. In: arguments, environment, a settings file. Out: the exit status. */
import { main } from './main.ts'

// Not awaited at the top level: the single executable is a CommonJS bundle.
void main(process.argv.slice(2)).then((code) => {
  // Connections that are kept open would hold the process; all that matters was awaited.
  process.exit(code)
})
