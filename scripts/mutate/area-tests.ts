/**
 * Finds and runs the tests of the area that a source file belongs to.
 * In: the path of a source file. Out: steps of test files, the nearest first; and whether the tests of a step pass.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folders whose sources get bugs. The first one that contains a file is the file's area. */
const areas = [
  'packages/server/src/adapters/memory',
  'packages/server/src/adapters/queues',
  'packages/server/src/adapters/redis',
  'packages/server/src/adapters/sqlite',
  'packages/server/src/adapters',
  'packages/server/src/devices',
  'packages/server/src/identity',
  'packages/server/src/pairing',
  'packages/server/src/relays',
  'packages/air/src/alerts',
  'packages/air/src/correlation',
  'packages/air/src/formats',
  'packages/air/src/standard',
  'packages/air/src/tracker',
  'packages/client-sdk/src',
  'packages/sensor-agent/src',
  'packages/relay-receiver/src',
]
/** Tests of an area that are not in the folder of the same name. */
const elsewhere: Record<string, string[]> = {
  'packages/server/src/adapters/queues': [
    'packages/server/test/adapters/memory',
    'packages/server/test/adapters/sqlite',
  ],
  // Whose local ID it is shows when devices are paired.
  'packages/server/src/devices': ['packages/server/test/pairing'],
}
export const mutatedFolders = areas.filter((area) => !areas.some((outer) => area.startsWith(`${outer}/`)))

export interface AreaTests {
  /** The tests of the same name, of the folder, of the folders around it, and last of the area. */
  stepsOf(path: string): string[][]
  pass(step: string[]): Promise<boolean>
  /** Runs each step once, to learn how long it takes. */
  passWithoutMutant(step: string[]): Promise<boolean>
  /** Ends a run in progress. */
  stop(): void
}

/** A run that takes this much longer than without a mutant hangs. */
const patience = { factor: 3, ms: 30_000 }

/** @param root The folder of the repository's copy. */
export function createAreaTests(root: string): AreaTests {
  /** Key: a step. Value: how long it takes without a mutant; undefined when it fails. */
  const durations = new Map<string, Promise<number | undefined>>()
  let running: number | undefined

  async function run(step: string[], timeoutMs?: number): Promise<boolean> {
    const project = /^packages\/([^/]+)/.exec(step[0] ?? '')?.[1] ?? ''
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const options = ['--project', project, '--bail', '1', '--maxWorkers', '1', '--reporter', 'dot']
    // A group of its own, so that what a test has started ends with it.
    const child = spawn(process.execPath, [vitest, 'run', ...options, ...step], {
      cwd: root,
      stdio: 'ignore',
      detached: true,
      // One round of each race: they take longest.
      env: { ...process.env, SOAK_ROUNDS: '1' },
    })
    running = child.pid
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => endGroup(child.pid), timeoutMs)
    const [status] = await once(child, 'exit')
    clearTimeout(timer)
    endGroup(child.pid)
    return status === 0
  }

  function durationOf(step: string[]): Promise<number | undefined> {
    const key = step.join(' ')
    let duration = durations.get(key)
    if (!duration) {
      const startedAt = performance.now()
      duration = run(step).then((passed) => (passed ? performance.now() - startedAt : undefined))
      durations.set(key, duration)
    }
    return duration
  }

  return {
    stepsOf(path) {
      const area = areas.find((folder) => path.startsWith(`${folder}/`)) ?? ''
      const places = [path.replace(/\.tsx?$/, '')]
      while (places.at(-1) !== area) places.push(dirname(places.at(-1) ?? area))
      const steps: string[][] = []
      for (const mirrored of [...places.map((place) => place.replace('/src', '/test')), ...(elsewhere[area] ?? [])]) {
        for (const pattern of [mirrored, `${mirrored}/*`, `${mirrored}/**/*`]) {
          const files = globSync(`${pattern}.test.{ts,tsx}`, { cwd: root })
          const added = files.filter((file) => !steps.flat().includes(file)).sort()
          if (added.length > 0) steps.push(added)
        }
      }
      return steps
    },
    async pass(step) {
      const usualMs = (await durationOf(step)) ?? 0
      return run(step, usualMs * patience.factor + patience.ms)
    },
    passWithoutMutant: async (step) => (await durationOf(step)) !== undefined,
    stop: () => endGroup(running),
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left of it.
  }
}
