/**
 * Each worker has its own temporary directory; after each file nothing may be left of what its tests started or
 * created.
 * In: the start of a file. Out: a function for its end, which throws with a line for each process, server, socket and
 * file that is left, after it has removed them, so that only the culprit fails.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProcesses, killProcess, type Process } from './processes.ts'

/** Every process that a worker starts inherits it. */
const mark = 'TEST_WORKER'
/** What is closing may take a moment, also on a busy machine. */
const looks = 500
const betweenLooksMs = 20

process.env[mark] ??= String(process.pid)
process.env.TEST_FOLDER ??= tmpdir()
const folder = join(process.env.TEST_FOLDER, `worker-${process.env[mark]}`)

export function beginFile(): () => Promise<void> {
  mkdirSync(folder, { recursive: true })
  process.env.TMPDIR = folder
  const before = openHandles()
  return async () => {
    let left = findLeftovers(before)
    for (let look = 0; left.length > 0 && look < looks; look++) {
      await sleep(betweenLooksMs)
      left = findLeftovers(before)
    }
    for (const { pid } of processesOfWorker()) killProcess(pid)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    if (left.length > 0) throw new Error(`The tests of this file left behind:\n${left.join('\n')}`)
  }
}

function findLeftovers(before: Map<string, number>): string[] {
  const handles = [...openHandles()].filter(([kind, count]) => count > (before.get(kind) ?? 0))
  return [
    ...processesOfWorker().map(({ pid, command }) => `process ${pid}: ${command}`),
    ...handles.map(([kind, count]) => `${count - (before.get(kind) ?? 0)} of ${kind}`),
    ...readdirSync(folder).map((name) => `${join(folder, name)}`),
  ]
}

const ofNetwork = ['TCPServerWrap', 'TCPSocketWrap', 'UDPWrap']

function openHandles(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    if (ofNetwork.includes(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

function processesOfWorker(): Process[] {
  return findProcesses(`${mark}=${process.env[mark]}\0`, folder).filter(({ command }) => !isOfTools(command))
}

/** The services of esbuild and recheck belong to the worker, and end with it: their standard input ends. */
function isOfTools(command: string): boolean {
  return /esbuild.* --service=|recheck agent$/.test(command)
}
