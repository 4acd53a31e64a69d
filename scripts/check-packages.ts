/**
 * Looks at every package as the registry would get it.
 * In: the built packages. Out: the complaints of publint and of are-the-types-wrong about the packed tarballs.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const packages = readdirSync('packages')
const folder = mkdtempSync(join(tmpdir(), 'posrep-pack-'))
let failed = false

for (const name of packages) {
  const cwd = join('packages', name)
  execFileSync('pnpm', ['pack', '--pack-destination', folder], { cwd, stdio: 'ignore' })
  const tarball = readdirSync(folder).find((file) => file.startsWith(`posrep-${name}-`) && file.endsWith('.tgz')) ?? ''
  look('publint', ['exec', 'publint', '--strict', join(folder, tarball)])
  // ESM only: what CommonJS resolution finds does not matter.
  look('are the types wrong', [
    'exec',
    'attw',
    join(folder, tarball),
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    'openapi.json',
  ])
}
rmSync(folder, { recursive: true })
process.exit(failed ? 1 : 0)

function look(what: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync('pnpm', args, { encoding: 'utf8' })
  if (status === 0) return
  failed = true
  process.stdout.write(`${what}: ${args[2]}\n${stdout}${stderr}\n`)
}
