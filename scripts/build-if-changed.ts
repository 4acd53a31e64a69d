/**
 * Builds the packages for `pnpm start`, unless nothing has changed since this script built them last.
 * In: the repository. Out: the folders `dist`, and lines that say what happens and how long it took.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** What the packages were built from last, and what came of it. */
const stamp = join(root, 'node_modules/.cache/posrep/built')

const sources = digestOf(listSources(), (file) => readFileSync(file))
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === `${sources} ${digestOfOutput()}`) {
  process.stdout.write('The packages are built, and nothing has changed since.\n')
} else {
  process.stdout.write(
    'Building the packages; this takes about half a minute, and is left out when nothing has changed …\n',
  )
  const startedAtMs = performance.now()
  const { status } = spawnSync('pnpm', ['build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, `${sources} ${digestOfOutput()}`)
  process.stdout.write(`Built in ${Math.round((performance.now() - startedAtMs) / 1_000)} s.\n`)
}

/** Tests, and what is built, are not built from. */
function listSources(): string[] {
  const shared = ['pnpm-lock.yaml', 'tsup.base.ts', 'tsconfig.base.json']
  const ofPackages = ['package.json', 'tsup.config.ts', 'tsconfig*.json', '{src,build,recordings}/**']
  const patterns = [
    ...shared,
    ...['packages/*', 'kernel'].flatMap((folder) => ofPackages.map((file) => `${folder}/${file}`)),
  ]
  return listFiles(patterns)
}

/** By size and time of the last change: what somebody removed or built otherwise is built again. */
function digestOfOutput(): string {
  return digestOf(listFiles(['packages/*/dist/**']), (file) => {
    const { size, mtimeMs } = statSync(file)
    return `${size} ${mtimeMs}`
  })
}

function listFiles(patterns: string[]): string[] {
  const files = globSync(patterns, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
}

function digestOf(files: string[], read: (file: string) => string | Buffer): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(read(file)).update('\0')
  return hash.digest('hex')
}
