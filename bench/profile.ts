/**
 * Summarises the profiles of `pnpm bench --cpu-prof FOLDER`: node bench/profile.ts FOLDER [ROWS].
 * In: CPU profiles, one per thread. Out: the functions with the most self time of each profile, in percent of the
 * thread's busy time.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** Frames without work. */
const waits = new Set(['(idle)', '(program)', '(root)'])

const [folder = '.', rows = '15'] = process.argv.slice(2)
for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
  const profile: Profile = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  process.stdout.write(`${file}\n${summarize(profile, Number(rows))}\n`)
}

function summarize({ nodes, samples, timeDeltas }: Profile, count: number): string {
  const locations = new Map(nodes.map(({ id, callFrame }) => [id, toLocation(callFrame)]))
  const spent = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const location = locations.get(id) ?? ''
    spent.set(location, (spent.get(location) ?? 0) + (timeDeltas[index] ?? 0))
  }
  const busy = [...spent].filter(([location]) => !waits.has(location)).toSorted(([, a], [, b]) => b - a)
  const total = busy.reduce((sum, [, microseconds]) => sum + microseconds, 0)
  const lines = busy
    .slice(0, count)
    .map(([location, microseconds]) => `${((microseconds / total) * 100).toFixed(1).padStart(6)} %  ${location}`)
  return [`  busy for ${(total / 1e6).toFixed(2)} s`, ...lines, ''].join('\n')
}

function toLocation({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const file = url.split('/').slice(-2).join('/')
  return `${functionName || '(anonymous)'}${file && `  ${file}:${lineNumber + 1}`}`
}
