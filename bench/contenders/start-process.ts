/** Starts a contender's process. In: its program. Out: its first line of JSON that says it is ready, and the way to end it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface ContenderProcess {
  ready: Record<string, unknown>
  pid: number
  stop(): Promise<void>
}

export interface StartOptions {
  /** Where the process leaves CPU profiles, one per thread, when it ends. Default: none are made. */
  profileFolder?: string | undefined
  /** Of a certificate authority that it trusts, a PEM file. */
  caFile?: string | undefined
}

export async function startProcess(
  program: string,
  args: string[],
  { profileFolder, caFile }: StartOptions = {},
): Promise<ContenderProcess> {
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  const child = spawn(process.execPath, [...profiling, program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...(caFile !== undefined && { NODE_EXTRA_CA_CERTS: caFile }) },
  })
  const ready = await new Promise<Record<string, unknown>>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`"${program}" ended with ${code} before it was ready`)))
    // Lines after the one that is waited for are read and dropped, so that no pipe fills up.
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line)
      if (entry.event === 'ready') resolve(entry)
    })
  })
  return {
    ready,
    pid: child.pid ?? 0,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
