/**
 * A load in real time: is one thread fast enough, and what does it hold?
 * In: recorded traffic in copies side by side, each heard by several receivers. Out: processor time per position of
 * the whole picture (reports, tracks, alerts, frames), the most that it was behind, by processor time, and memory.
 */
import { createTracker } from '@posrep/air'
import type { PositionData } from '@posrep/spec'
import type { Recorded } from './recordings.ts'
import { toCopy } from './speed.ts'

export interface Load {
  targets: number
  positionsPerSecond: number
  microsecondsPerPosition: number
  /** If the thread had a processor of its own. */
  mostBehindSeconds: number
  megabytes: number
}

export function measureLoad(
  recorded: readonly Recorded[],
  { targets, positionsPerSecond, seconds }: { targets: number; positionsPerSecond: number; seconds: number },
): Load {
  const copies = Math.ceil(targets / new Set(recorded.map(({ identity }) => identity)).size)
  const fromMs = recorded[0]?.position.timeMs ?? 0
  const lastMs = recorded.at(-1)?.position.timeMs ?? 0
  const usualPerSecond = (recorded.length * copies * 1_000) / (lastMs - fromMs)
  const receivers = Math.max(1, Math.round(positionsPerSecond / usualPerSecond))
  const tracker = createTracker()
  let [positions, behind, mostBehind, total, rss, at] = [0, 0, 0, 0, 0, 0]
  for (let second = 1; second <= seconds; second++) {
    const nowMs = fromMs + 1_000 * second
    const heard: Recorded[] = []
    for (let next = recorded[at]; next && next.position.timeMs < nowMs; next = recorded[++at]) heard.push(next)
    let spent = 0
    for (let copy = 0; copy < copies; copy++) {
      for (let receiver = 0; receiver < receivers; receiver++) {
        const data = heard.map((one): PositionData => toCopy(one, copy, false))
        spent += timeOf(() => tracker.add({ positions: data }, nowMs, { deviceId: `${copy}-${receiver}` }))
        positions += data.length
      }
    }
    spent += timeOf(() => {
      tracker.advance(nowMs)
      tracker.takeChanges()
    })
    total += spent
    behind = Math.max(0, behind + spent - 1)
    mostBehind = Math.max(mostBehind, behind + Math.min(spent, 1))
    rss = Math.max(rss, process.memoryUsage.rss())
  }
  return {
    targets: tracker.counts().targets,
    positionsPerSecond: positions / seconds,
    microsecondsPerPosition: (total / positions) * 1_000_000,
    mostBehindSeconds: mostBehind,
    megabytes: rss / 1_000_000,
  }
}

/** Seconds of processor time, of all threads: the collector's, too. */
function timeOf(task: () => void): number {
  const before = process.cpuUsage()
  task()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}
