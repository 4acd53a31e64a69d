/**
 * Packs a package as a release would. In: the root of the repository, the package's folder. Out: the tarball's path.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export function packPackage(root: string, name: string, into: string): string {
  const tarball = join(into, `${name}.tgz`)
  execFileSync('pnpm', ['pack', '--out', tarball], {
    cwd: join(root, 'packages', name),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return tarball
}
