/**
 * Refuses reports under overload, before they are stored: 503 with `Retry-After`. Reports are accepted again as soon as
 * the overload has ended.
 * In: reports for the log. Out: appended entries; ApiError `unavailable` while too many reports wait to be processed,
 * while the store is slow, or while too many characters are being appended. A client with too many bytes in the log, or
 * with its share of what is being appended, is refused alone.
 */
import { LRUCache } from 'lru-cache'
import { freeShareOf } from '../concurrency/free-share.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { scaleToHeap } from '../ports/scale-to-heap.ts'
import { clientOf, type NewEntry, type ReportLog } from '../ports/storage/log.ts'

export interface BackPressureOptions {
  reportLog: Pick<ReportLog, 'append' | 'depth' | 'bytesOfClient'>
  clock: Clock
  /** Limit of reports that wait in the log. Default: 100,000. */
  backlog?: number
  /** Limit of bytes that the reports of a device's client take in the log. */
  bytesOfClient(deviceUrn: string): number
  /** Limit of characters that are being appended. Default: 64 Mi, less if the heap is small. */
  maxInFlight?: number
}

export interface BackPressure {
  /** @throws ApiError `unavailable`, from this module or from the log */
  append(report: NewEntry): Promise<void>
}

/** While reports arrive, the log is asked at this interval. */
const askEveryMs = 250
/** The store is slow when an append takes longer. A healthy store takes a few milliseconds. */
const slowMs = 2_000
/** A client with nothing in flight may always append a report shorter than this, so that many others cannot stop it. */
const longFromCharacters = 64 * 1024
/** For how many clients it is known whether they have too many bytes in the log. */
const knownClients = 10_000

export function createBackPressure({
  reportLog,
  clock,
  backlog = 100_000,
  bytesOfClient,
  maxInFlight = scaleToHeap(64 * 1024 * 1024),
}: BackPressureOptions): BackPressure {
  /**
   * Appends in flight, oldest first, without those that a later one has overtaken: where the store is divided, a part
   * that hangs makes its own appends slow, and no others.
   */
  const inFlight = new Set<{ startedAtMs: number }>()
  let charactersInFlight = 0
  /** Key: a client with reports in flight. */
  const charactersOfClient = new Map<string, number>()
  const isBacklogFull = createSample(async () => (await reportLog.depth()).waiting > backlog, clock)
  const isClientFull = new LRUCache<string, () => Promise<boolean>>({ max: knownClients })

  function isFull(client: string, queue: string): Promise<boolean> {
    let sample = isClientFull.get(client)
    if (!sample) {
      sample = createSample(async () => (await reportLog.bytesOfClient(queue)) > bytesOfClient(queue), clock)
      isClientFull.set(client, sample)
    }
    return sample()
  }

  function addInFlight(client: string, characters: number): void {
    charactersInFlight += characters
    const left = (charactersOfClient.get(client) ?? 0) + characters
    if (left === 0) charactersOfClient.delete(client)
    else charactersOfClient.set(client, left)
  }

  /** The append has succeeded. */
  function overtake(appending: { startedAtMs: number }): void {
    if (!inFlight.has(appending)) return
    for (const older of inFlight) {
      inFlight.delete(older)
      if (older === appending) return
    }
  }

  async function check(client: string, { queue, body }: NewEntry): Promise<void> {
    if (await isBacklogFull()) throw refusal(`More than ${backlog} reports wait to be processed`, 5)
    if (await isFull(client, queue)) {
      throw refusal(
        `The reports of this client that wait to be processed have more than ${bytesOfClient(queue)} bytes`,
        5,
      )
    }
    const [oldest] = inFlight
    if (oldest && clock.now() - oldest.startedAtMs > slowMs) throw refusal('The store is slow', 1)
    const own = charactersOfClient.get(client)
    if (own === undefined) {
      if (charactersInFlight > maxInFlight && body.length >= longFromCharacters) {
        throw refusal('The server is receiving too many reports at once', 1)
      }
    } else if (own >= freeShareOf(maxInFlight, charactersInFlight)) {
      throw refusal('The server is receiving too many reports of this client at once', 1)
    }
  }

  return {
    async append(report) {
      const client = clientOf(report.queue)
      await check(client, report)
      const appending = { startedAtMs: clock.now() }
      inFlight.add(appending)
      addInFlight(client, report.body.length)
      try {
        await reportLog.append([report])
        overtake(appending)
      } finally {
        inFlight.delete(appending)
        addInFlight(client, -report.body.length)
      }
    },
  }
}

/**
 * Asks a question about the log at an interval, and answers with the last known answer. While that is true, it waits
 * for the current answer, so that no report is refused because of an old one.
 */
function createSample(ask: () => Promise<boolean>, clock: Clock): () => Promise<boolean> {
  let last = false
  let askedAtMs = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined

  function askAgain(): Promise<void> {
    askedAtMs = clock.now()
    asking ??= ask()
      .then((answer) => {
        last = answer
      })
      // If the store fails, appends fail as well. The last known answer may still be right.
      .catch(() => {})
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  return async () => {
    if (clock.now() - askedAtMs >= askEveryMs) {
      const asked = askAgain()
      if (last) await asked
    }
    return last
  }
}

function refusal(reason: string, afterSeconds: number): ApiError {
  return new ApiError('unavailable', `${reason}; nothing was stored, send it again in ${afterSeconds} s`, {
    headers: { 'Retry-After': String(afterSeconds) },
  })
}
