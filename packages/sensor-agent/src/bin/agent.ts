#!/usr/bin/env node
/** posrep-agent: the sensor agent as a command. In: arguments, environment, a settings file. Out: the exit status. */
import { setFlagsFromString } from 'node:v8'
import { ensureCertainEnd } from '@posrep/kernel/certain-end'
import { main } from './main.ts'

// Saves about 8 MB and costs a tenth of the processor time. A shell, npm and systemd start Node without flags, and
// NODE_OPTIONS cannot have it.
setFlagsFromString('--optimize-for-size')
// It costs no processor time that could be measured.
ensureCertainEnd()

// Not awaited at the top level: the single executable is a CommonJS bundle.
void main(process.argv.slice(2)).then((code) => {
  // Connections that are kept open would hold the process; all that matters was awaited.
  process.exit(code)
})
