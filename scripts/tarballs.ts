/**
 * `pnpm tarballs [FOLDER]`: builds the packages as a release would, for projects outside of this repository.
 * In: the built packages; a folder, default `tarballs`. Out: a tarball per package, and the command that installs them.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packPackage } from './pack.ts'

const root = join(import.meta.dirname, '..')
// pnpm runs scripts in the root; a path is meant from where the command was typed.
const folder = resolve(process.env.INIT_CWD ?? '.', process.argv[2] ?? join(root, 'tarballs'))
mkdirSync(folder, { recursive: true })
const tarballs = readdirSync(join(root, 'packages')).map((name) => packPackage(root, name, folder))
process.stdout.write(`In your project:\n\n  npm install ${tarballs.join(' ')}\n`)
