/**
 * How the user of this process starts another command of the program, so that the line can be pasted into the same
 * folder.
 * In: how this process was started. Out: `npx posrep-server`, `posrep-server`, or Node with the file.
 */
import { basename, relative } from 'node:path'

export interface Start {
  /** The file that runs, as it was named: of an installed program it is the link in a folder of programs. */
  program: string
  folder: string
  execPath: string
}

export function toOwnCommand({ program, folder, execPath }: Start): string {
  const folders = program.split(/[\\/]/)
  // npx without an installation keeps the package in a folder of its own.
  if (folders.includes('_npx')) return 'npx @posrep/server'
  if (folders.includes('node_modules')) return 'npx posrep-server'
  const path = toArgument(toPath(folder, program))
  // A single executable is both.
  if (program === execPath) return path
  return basename(program) === 'posrep-server' ? 'posrep-server' : `node ${path}`
}

/** An argument of a shell. */
export function toArgument(text: string): string {
  return /^[\w./\\:@-]+$/.test(text) ? text : `"${text}"`
}

function toPath(folder: string, program: string): string {
  const path = relative(folder, program)
  return /[\\/]/.test(path) ? path : `./${path}`
}
