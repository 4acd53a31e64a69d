/** `ReportFeed` in Redis: remembers the last entry of each device's stream, and asks for the later ones. */
import type { Clock } from '../../../ports/clock.ts'
import type { FeedReport, OpenReportFeed } from '../../../ports/storage/report-feed.ts'
import type { RedisLink } from '../link/link.ts'
import { toRows, toTexts } from '../link/reply.ts'
import { recentKeys as keys, readBodies, toRecent } from './recent-rows.ts'
import { lastEntriesScript, laterReportsScript, recentDevicesScript } from './report-feed-scripts.ts'

/** Devices per script call. Redis serves no other client while a script runs. */
const deviceBatchSize = 200
/**
 * Devices without a report for this long are not asked for; more than the minute by which their time may be wrong, and
 * the difference of clocks.
 */
const activeMs = 180_000

export function createRedisReportFeed({ link, clock }: { link: RedisLink; clock: Clock }): OpenReportFeed {
  const findDevices = async (sinceMs: number) => toTexts(await link.run(recentDevicesScript, keys, [sinceMs]))

  async function readLastIds(devices: string[]): Promise<Map<string, string>> {
    const ids = new Map<string, string>()
    for (const batch of toBatches(devices)) {
      const found = toTexts(await link.run(lastEntriesScript, keys, batch))
      for (const [index, device] of batch.entries()) ids.set(device, found[index] ?? '')
    }
    return ids
  }

  return async (deviceUrn) => {
    const toDevices = async (sinceMs: number) => (deviceUrn === undefined ? findDevices(sinceMs) : [deviceUrn])
    const lastIds = await readLastIds(await toDevices(0))
    let unasked: string[][] = []

    async function ask(devices: string[]): Promise<FeedReport[]> {
      const args = devices.flatMap((device) => [device, lastIds.get(device) ?? ''])
      const found = toRows(await link.run(laterReportsScript, keys, args))
      const rows = devices.flatMap((device, index) =>
        toRows(found[index]).map((row) => {
          const { id, entry } = toRecent(row)
          lastIds.set(device, id)
          return { deviceUrn: device, ...entry }
        }),
      )
      return readBodies(link, rows)
    }

    return {
      async next() {
        if (unasked.length === 0) unasked = toBatches(await toDevices(clock.now() - activeMs))
        for (let batch = unasked.shift(); batch; batch = unasked.shift()) {
          const reports = await ask(batch)
          if (reports.length > 0) return reports
        }
        return []
      },
    }
  }
}

function toBatches(devices: string[]): string[][] {
  const count = Math.ceil(devices.length / deviceBatchSize)
  return Array.from({ length: count }, (_, n) => devices.slice(n * deviceBatchSize, (n + 1) * deviceBatchSize))
}
