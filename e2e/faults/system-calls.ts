/** strace on a running server. In: its process id. Out: its system calls as lines, or faults put into them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Tracing {
  /** Ends it and resolves with a line per call, in order; threads are told apart by their ids. */
  lines(): Promise<string[]>
}

/** Resolves when it is attached to all threads. */
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
  // "strace: Process 123 attached with 12 threads". It says so of later threads, too, and ends when nobody reads that.
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
