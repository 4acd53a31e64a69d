/**
 * Copies the repository to a temporary folder, for a script that changes files.
 * In: the root of the repository. Out: the folder of the copy, which the caller removes.
 * The packages' own node_modules are relative links. Copied as they are, they lead to the packages of the copy.
 */
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function copyRepository(original: string, name: string): string {
  const copy = mkdtempSync(join(tmpdir(), `posrep-${name}-`))
  const leftOut = [join(original, '.git'), join(original, 'node_modules')]
  cpSync(original, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !leftOut.includes(path) })
  symlinkSync(join(original, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
