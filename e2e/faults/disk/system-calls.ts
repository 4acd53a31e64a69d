/** strace on a running server. In: its process id. Out: its system calls as lines; strace can also inject faults. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Tracing {
  /** Ends the trace and resolves with one line per call, in order. Each line begins with the id of its thread. */
  lines(): Promise<string[]>
}

/** Resolves when strace is attached to all threads. */
export async function trace(pid: number, ...options: string[]): Promise<Tracing> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-strace-'))
  const file = join(folder, 'calls')
  const child = spawn('strace', ['-f', '-p', String(pid), '-o', file, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  // "strace: Process 123 attached with 12 threads". Its standard error must be read to the end: it also reports later
  // threads.
  const attached = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => String(chunk).includes('attached') && resolve())
  })
  await Promise.race([attached, exited])
  return {
    async lines() {
      child.kill('SIGINT')
      await exited
      // Ids of fewer than five digits are followed by more than one space.
      return (await readFile(file, 'utf8')).split('\n').map((line) => line.replace(/^(\d+) +/, '$1 '))
    },
  }
}
