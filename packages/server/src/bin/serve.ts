#!/usr/bin/env node
/**
 * The command `posrep-server`: checks the version of Node.js, then loads the program.
 * A Node.js that is too old would fail on the first import with a stack trace, so this file imports nothing that needs
 * a new one.
 */
import manifest from '../../package.json' with { type: 'json' }

const { node: needed } = manifest.engines

if (isOlder(process.versions.node, needed.replace(/^>=/, ''))) {
  process.stderr.write(`posrep-server: Node.js ${needed} is needed, and this is ${process.versions.node}\n`)
  process.exit(2)
}
await import('./program.ts')

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [thanMajor = 0, thanMinor = 0] = than.split('.').map(Number)
  return major === thanMajor ? minor < thanMinor : major < thanMajor
}
