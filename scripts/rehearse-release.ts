/**
 * `pnpm rehearse`: versions and packs every package as a release would, in a temporary copy of the repository.
 * In: the built packages. Out: a line per step, what a failed one found, and a last line "N passed, N failed".
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { copyRepository } from './copy-repository.ts'
import { packPackage } from './pack.ts'

interface Manifest {
  name: string
  version: string
  exports: unknown
  bin?: unknown
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const original = process.cwd()
const copy = copyRepository(original, 'release')
const packages = readdirSync('packages')
const results: boolean[] = []

try {
  step('changeset version', checkVersions)
  for (const name of packages) step(`pack ${name}`, () => checkPackage(name))
  step('examples use the new version', checkExamples)
} finally {
  rmSync(copy, { recursive: true })
}
const failed = results.filter((passed) => !passed).length
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)

/** Runs `find`, which returns the problems, or throws one. */
function step(name: string, find: () => string[]): void {
  let problems: string[]
  try {
    problems = find()
  } catch (error) {
    problems = [String(error)]
  }
  results.push(problems.length === 0)
  process.stdout.write(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
  for (const problem of problems) process.stdout.write(`     ${problem}\n`)
}

function checkVersions(): string[] {
  const before = new Set(packages.map((name) => readManifest(name).version))
  const hadChangesets = listChangesets().length > 0
  run('.', process.execPath, join(original, 'node_modules/@changesets/cli/bin.js'), 'version')
  const after = new Set(packages.map((name) => readManifest(name).version))
  const [version = ''] = after

  const problems: string[] = []
  if (after.size !== 1) problems.push(`packages have different versions: ${[...after].join(', ')}`)
  if (hadChangesets && before.has(version)) problems.push(`there are changesets, and the version is still ${version}`)
  for (const left of listChangesets()) problems.push(`${left} was not used`)
  for (const name of hadChangesets ? packages : []) {
    const changelog = join(copy, 'packages', name, 'CHANGELOG.md')
    if (!existsSync(changelog)) problems.push(`packages/${name} has no CHANGELOG.md`)
    else if (!readFileSync(changelog, 'utf8').includes(`\n## ${version}\n`)) {
      problems.push(`packages/${name}/CHANGELOG.md has no section ${version}`)
    }
  }
  return problems
}

/** @param wanted A path, or a pattern of a subpath export: `dist/land/*`. */
function has(files: readonly string[], wanted: string): boolean {
  const [start = '', end] = wanted.split('*')
  if (end === undefined) return files.includes(wanted)
  return files.some((file) => file.length > start.length + end.length && file.startsWith(start) && file.endsWith(end))
}

function checkPackage(name: string): string[] {
  const tarball = packPackage(copy, name, copy)
  const files = run('.', 'tar', '-tzf', tarball)
    .split('\n')
    .map((path) => relative('package', path))
  const manifest: Manifest = JSON.parse(run('.', 'tar', '-xzOf', tarball, 'package/package.json'))

  const problems: string[] = []
  const wanted = [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    ...entryPoints(manifest.exports),
    ...entryPoints(manifest.bin),
  ]
  for (const path of wanted) if (!has(files, path)) problems.push(`it lacks ${path}`)
  for (const path of files) if (isUnwanted(path)) problems.push(`it contains ${path}`)
  const { version } = readManifest(name)
  if (manifest.version !== version) problems.push(`it has the version ${manifest.version}, not ${version}`)
  for (const [dependency, range] of Object.entries(manifest.dependencies ?? {})) {
    const isOurs = dependency.startsWith('@posrep/')
    if (isOurs ? range !== `^${version}` : range.includes(':')) problems.push(`it depends on ${dependency} ${range}`)
  }
  return problems
}

function checkExamples(): string[] {
  const version = readManifest('spec').version
  return globSync('examples/*/package.json', { cwd: copy }).flatMap((file) => {
    const { dependencies, devDependencies }: Manifest = JSON.parse(readFileSync(join(copy, file), 'utf8'))
    return Object.entries({ ...dependencies, ...devDependencies })
      .filter(([dependency, range]) => dependency.startsWith('@posrep/') && range !== `^${version}`)
      .map(([dependency, range]) => `${file} depends on ${dependency} ${range}, not ^${version}`)
  })
}

/** Every file that `exports` or `bin` names. */
function entryPoints(value: unknown): string[] {
  if (typeof value === 'string') return [relative('.', value)]
  return Object.values(value ?? {}).flatMap(entryPoints)
}

function isUnwanted(path: string): boolean {
  const name = basename(path)
  return /(^|\/)(test|node_modules)\//.test(path) || /\.test(-d)?\.tsx?$/.test(name) || name.startsWith('.env')
}

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(copy, 'packages', name, 'package.json'), 'utf8'))
}

function listChangesets(): string[] {
  return readdirSync(join(copy, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md')
}

function run(folder: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: join(copy, folder), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
