/**
 * Checks that the files under `generated/` and the table of settings in the docs are up to date, by generating them
 * again.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'

const generated = ['packages/spec/src/generated/**/*.{ts,json}', 'docs/operating.md']

const before = fingerprints()
execFileSync('pnpm', ['generate'], { stdio: ['ignore', 'ignore', 'inherit'] })
const after = fingerprints()

const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file))
if (changed.length > 0) {
  process.stdout.write(`These files are out of date; run \`pnpm generate\` and commit them:\n${changed.join('\n')}\n`)
  process.exit(1)
}

function fingerprints(): Map<string, string> {
  const files = globSync(generated)
  return new Map(files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]))
}
