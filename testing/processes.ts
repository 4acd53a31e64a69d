/**
 * Finds processes by their environment, which each process passes on to those that it starts.
 * In: a text of the environment, whose variables end with NUL. Out: their ids and commands, also of those whose parent
 * has ended.
 * Empty where there is no /proc.
 */
import { readdirSync, readFileSync } from 'node:fs'

export interface Process {
  pid: number
  command: string
}

export function findProcesses(environment: string): Process[] {
  return pids()
    .filter((pid) => pid !== process.pid && read(pid, 'environ').includes(environment))
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

/** Empty for a process that has ended, or of another user. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
