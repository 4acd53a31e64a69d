/** Starts a contender's process. In: its program. Out: its ready line, which is JSON, and a function that stops it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface ContenderProcess {
  ready: Record<string, unknown>
  pid: number
  stop(): Promise<void>
}

export interface StartOptions {
  /** Folder for CPU profiles, one per thread, written when the process ends. Default: no profiles. */
  profileFolder?: string | undefined
  /** PEM file of a certificate authority that the process trusts. */
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
    child.once('exit', (code) => reject(new Error(`"${program}" exited with ${code} before it was ready`)))
    // Later lines are read and discarded, so that the pipe does not fill up.
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
