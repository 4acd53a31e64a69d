/**
 * One measurement: a load process sends requests to one contender for some seconds.
 * In: the contender, the load program, the rate. Out: a Round; throws if answers are missing or were not counted by the
 * contender.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Contender } from './contenders/contender.ts'
import { readCpuTimeMs } from './cpu-time.ts'
import type { Measurement } from './load/measurement.ts'

export interface Effort {
  rounds: number
  seconds: number
  connections: number
}

export interface Round extends Measurement {
  /** Processor time per request of all processes and threads of the contender, until its backlog is empty. */
  cpuMicroseconds: number
  /** The same for each process. */
  cpuMicrosecondsOf: Record<string, number>
  /** Time from the last answer until the contender's backlog is empty. */
  settleMs: number
}

export async function measure(
  contender: Contender<unknown>,
  program: string,
  effort: Effort,
  rate?: number,
): Promise<Round> {
  const { prepare, settle, countAccepted } = contender
  const work = await prepare(effort.connections)
  // Some contenders start a new process for each measurement.
  const { pids } = contender
  const acceptedBefore = (await countAccepted?.()) ?? 0
  const cpuBefore = readCpuTimes(pids)
  const measurement = await load(program, work, effort, rate)
  const accepted = (await countAccepted?.()) ?? acceptedBefore + measurement.requests
  if (accepted - acceptedBefore !== measurement.requests) {
    throw new Error(`${measurement.requests} reports were answered, ${accepted - acceptedBefore} were accepted`)
  }
  const endedAt = performance.now()
  await settle?.()
  const settleMs = performance.now() - endedAt
  const cpuAfter = readCpuTimes(pids)
  const cpuMicrosecondsOf = Object.fromEntries(
    Object.entries(cpuAfter).map(([name, ms]) => [
      name,
      ((ms - (cpuBefore[name] ?? Number.NaN)) * 1_000) / measurement.requests,
    ]),
  )
  const cpuMicroseconds = Object.values(cpuMicrosecondsOf).reduce((sum, each) => sum + each, 0)
  return { ...measurement, cpuMicroseconds, cpuMicrosecondsOf, settleMs }
}

function readCpuTimes(pids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, readCpuTimeMs(pid)]))
}

async function load(
  program: string,
  work: unknown,
  { seconds, connections }: Effort,
  rate: number | undefined,
): Promise<Measurement> {
  const path = fileURLToPath(new URL(`load/${program}`, import.meta.url))
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stdin.end(JSON.stringify({ work, seconds, connections, rate }))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The load generator exited with ${code}`)
  return JSON.parse(output)
}
