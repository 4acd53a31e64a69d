/**
 * Finds the processes of a test, also those whose parent has ended. Empty where there is no /proc.
 * In: a text of their environment, which each process passes on to those that it starts, and whose variables end with
 * NUL; and a folder that they work in, because Redis and Valkey write their title over their environment. Out: their
 * ids and commands.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface Process {
  pid: number
  command: string
}

export function findProcesses(environment: string, folder: string): Process[] {
  return pids()
    .filter((pid) => pid !== process.pid && (read(pid, 'environ').includes(environment) || isIn(pid, folder)))
    .map((pid) => ({ pid, command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => command !== '')
}

export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Also when the folder was removed. */
function isIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)
  } catch {
    return false
  }
}

/** Empty for a process that has ended, or of another user. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
