/**
 * Installs examples in a folder outside of the repository.
 * In: the root of the repository with built packages, names of examples, an empty folder. Out: the examples in
 * `examples/` of the folder, each with only the dependencies that it lists, and the path of the packed command
 * `posrep-server`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packPackage } from '../pack.ts'

export function installExamples(root: string, names: string[], folder: string): { posrepServer: string } {
  const tarballs = readdirSync(join(root, 'packages')).map((name) => [name, packPackage(root, name, folder)])
  for (const name of names) {
    cpSync(join(root, 'examples', name), join(folder, 'examples', name), {
      recursive: true,
      filter: (path) => !['node_modules', 'dist'].includes(basename(path)),
    })
  }
  mkdirSync(join(folder, 'server'))
  writeJson(join(folder, 'server/package.json'), { private: true, dependencies: { '@posrep/server': '*' } })
  writeJson(join(folder, 'package.json'), { private: true })
  // YAML may be written as JSON.
  writeJson(join(folder, 'pnpm-workspace.yaml'), {
    packages: ['examples/*', 'server'],
    // Whatever range an example, or one of our packages, gives for our packages: the tarball is installed.
    overrides: Object.fromEntries(tarballs.map(([name, tarball]) => [`@posrep/${name}`, `file:${tarball}`])),
    strictDepBuilds: false,
  })
  execFileSync('pnpm', ['install', '--no-frozen-lockfile', '--prefer-offline', '--reporter=silent'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return { posrepServer: join(folder, 'server/node_modules/.bin/posrep-server') }
}

function writeJson(file: string, content: object): void {
  writeFileSync(file, JSON.stringify(content, null, 2))
}
