/**
 * Whether a process of this machine runs. One that was killed and that its parent has not noticed yet (a zombie) does
 * not.
 */
import { readFileSync } from 'node:fs'
import { isCode } from './disk-errors.ts'

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if (!isCode(error, 'EPERM')) return false
  }
  return !/^[ZX]$/.test(processStat(pid)[0] ?? '')
}

/** When the process was started, in the unit of the system; empty where /proc does not exist. */
export function startTimeOf(pid: number): string {
  return processStat(pid)[19] ?? ''
}

/** The fields of /proc/PID/stat from the third on, the state; the ones before may have spaces within parentheses. */
function processStat(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    // There is no /proc, or no such process.
    return []
  }
}
