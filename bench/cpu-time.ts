/** Reads the processor time of a process with all its threads. In ms; NaN if there is no /proc. */
import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const tickMs = 10

export function readCpuTimeMs(pid: number): number {
  try {
    // After the name in parentheses, which may contain any character: state is field 3, user and system time are 14 and
    // 15.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  } catch {
    // Not Linux: there is no figure.
    return Number.NaN
  }
}
