/** The published command posrep-agent as a process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fleet } from './seed.ts'
import { programOf, type ServerProcess } from './server-process.ts'

const program = programOf('posrep-agent')

export interface AgentEvent {
  event: string
  message: string
  accepted?: number
  unusable?: number
}

export interface AgentProcess {
  process: ChildProcess
  events: AgentEvent[]
  /** Resolves with the first event that fits. */
  event(fits: (event: AgentEvent) => boolean): Promise<AgentEvent>
  /** Resolves with the exit code. */
  exited: Promise<number | null>
  stop(): Promise<number | null>
}

/** `posrep-agent run` with client credentials and a state folder of its own; `input` is its standard input. */
export async function startAgent(
  { ready, certificate }: ServerProcess,
  sensor: string,
  args: string[],
  input?: string | Buffer,
): Promise<AgentProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-e2e-agent-'))
  await writeFile(join(folder, 'ca.pem'), certificate.ca)
  const given = ['--ingest', ready.ingestOrigin, '--auth', ready.authOrigin, '--sensor', sensor, '--status', 'off']
  const state = ['--client-id', fleet.id, '--ca', join(folder, 'ca.pem'), '--state-dir', join(folder, 'state')]
  const child = spawn(program, ['run', ...given, ...state, '--json', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, POSREP_AGENT_CLIENT_SECRET: fleet.secret },
  })
  const events: AgentEvent[] = []
  const looking = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line))
    for (const look of looking) look()
  })
  if (input !== undefined) child.stdin.end(input)
  const exited = once(child, 'close').then(async ([code]: (number | null)[]) => {
    await rm(folder, { recursive: true, force: true })
    return code ?? null
  })
  return {
    process: child,
    events,
    exited,
    event: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = events.find(fits)
          if (found) resolve(found)
        }
        looking.add(look)
        look()
      }),
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}
