/**
 * Checks the tarball of every package.
 * In: the built packages. Out: the errors of publint and are-the-types-wrong.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packPackage } from './pack.ts'

const packages = readdirSync('packages')
const folder = mkdtempSync(join(tmpdir(), 'posrep-pack-'))
let failed = false

for (const name of packages) {
  const tarball = packPackage(process.cwd(), name, folder)
  check('publint', ['exec', 'publint', '--strict', tarball])
  // The packages are ESM only, so errors of CommonJS resolution are ignored.
  check('are the types wrong', [
    'exec',
    'attw',
    tarball,
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    'openapi.json',
  ])
}
rmSync(folder, { recursive: true })
process.exit(failed ? 1 : 0)

function check(what: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync('pnpm', args, { encoding: 'utf8' })
  if (status === 0) return
  failed = true
  process.stdout.write(`${what}: ${args[2]}\n${stdout}${stderr}\n`)
}
