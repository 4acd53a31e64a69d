/** How much processor time a process has used, all its threads together. In ms; NaN where there is no /proc. */
import { readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second, on every Linux that Node runs on. */
const tickMs = 10

export function readCpuTimeMs(pid: number): number {
  try {
    // Behind the name, which may hold anything, in brackets: state is field 3, user and system time are 14 and 15.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  } catch {
    // Not Linux: the figure is left out.
    return Number.NaN
  }
}
