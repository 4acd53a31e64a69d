/**
 * The air pictures that this process reads, opened when somebody asks for them and closed when nobody does.
 * In: an account. Out: its picture, which stays current: from the worker of this process, from another process, or,
 * when no process holds it because nothing happens in it, from its last snapshot.
 */
import type { HistoryQuery } from '@posrep/air'
import type { AirFrame } from '@posrep/spec'
import { createLimit } from '../../concurrency/limit.ts'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { AirAreas } from '../areas.ts'
import type { AirPicture, AirPictures, HistoryTexts } from '../picture.ts'
import type { AirMessage, AirSource } from './air-source.ts'
import { createReplica, type Replica } from './replica.ts'

export interface AirPicturesOptions {
  /** In the order in which they are asked. */
  sources: readonly AirSource[]
  /** The last snapshot; undefined if there is none. */
  findStored(accountId: string): Promise<StoredPicture | undefined>
  areas: Pick<AirAreas, 'get'>
  clock: Clock
  logger: Logger
  /** Limit of pictures in memory. Default 500. */
  maxPictures?: number
}

export interface StoredPicture {
  message: AirMessage
  detail(trackId: string): ReturnType<AirPicture['detail']>
  history(query: HistoryQuery): Promise<HistoryTexts>
}

export interface OpenPictures extends AirPictures {
  close(): void
}

interface Opened {
  replica: Replica
  picture: AirPicture
  usedAtMs: number
  stop(): void
}

const closeAfterMs = 60_000
/** After a frame was lost, the whole picture is asked for at most this often. */
const askAgainMs = 1_000

export function createAirPictures(options: AirPicturesOptions): OpenPictures {
  const { sources, findStored, areas, clock, logger, maxPictures = 500 } = options
  const pictures = new Map<string, Opened>()
  const limit = createLimit()
  const closing = new AbortController()
  void closeIdle()

  async function open(accountId: string): Promise<Opened> {
    const known = pictures.get(accountId)
    if (known) return known
    makeRoom()
    const replica = createReplica(await areas.get(accountId), clock.now())
    let isAsking = false

    async function ask(): Promise<void> {
      if (isAsking) return
      isAsking = true
      try {
        const message = await findWhole(accountId)
        if (message) replica.apply(message)
        await clock.sleep(askAgainMs, closing.signal)
      } catch (error) {
        logger.warn({ err: error, account: accountId }, 'could not read an air picture; waiting for its next frame')
      } finally {
        isAsking = false
      }
    }

    function receive(message: AirMessage): void {
      if (!replica.apply(message)) void ask()
    }

    const stops = sources.map((source) => source.follow(accountId, receive))
    const opened: Opened = {
      replica,
      picture: toPicture(accountId, replica, {
        detail: (trackId) => findDetail(accountId, trackId),
        history: (query) => findHistory(accountId, query, replica.timeMs()),
      }),
      usedAtMs: clock.now(),
      stop() {
        for (const stop of stops) stop()
      },
    }
    try {
      const message = (await findWhole(accountId)) ?? (await findStored(accountId))?.message
      // A frame of a process that has opened the picture in the meantime is newer.
      if (message && message.sequence >= replica.sequence()) replica.apply(message)
    } catch (error) {
      opened.stop()
      throw error
    }
    pictures.set(accountId, opened)
    return opened
  }

  async function findWhole(accountId: string): Promise<AirMessage | undefined> {
    for (const source of sources) {
      const message = await source.whole(accountId)
      if (message) return message
    }
    return undefined
  }

  async function findDetail(accountId: string, trackId: string): ReturnType<AirPicture['detail']> {
    for (const source of sources) {
      const found = await source.detail(accountId, trackId)
      if (found) return found.detail
    }
    return (await findStored(accountId))?.detail(trackId)
  }

  async function findHistory(accountId: string, query: HistoryQuery, timeMs: number): Promise<HistoryTexts> {
    for (const source of sources) {
      const found = await source.history(accountId, query)
      if (found) return found
    }
    return (await (await findStored(accountId))?.history(query)) ?? { timeMs, paths: [], truncated: false }
  }

  /** Closes the picture that was not used for the longest time. @throws ApiError `unavailable` when all are watched */
  function makeRoom(): void {
    if (pictures.size < maxPictures) return
    const idle = [...pictures].filter(([, { replica }]) => !replica.isWatched())
    const [oldest] = idle.sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs)
    if (!oldest) throw new ApiError('unavailable', 'Too many air pictures are open; try again later')
    close(oldest[0])
  }

  function close(accountId: string): void {
    pictures.get(accountId)?.stop()
    pictures.delete(accountId)
  }

  async function closeIdle(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(closeAfterMs / 4, closing.signal)
      for (const [accountId, opened] of pictures) {
        if (opened.replica.isWatched()) opened.usedAtMs = clock.now()
        else if (clock.now() - opened.usedAtMs >= closeAfterMs) close(accountId)
      }
    }
  }

  return {
    async open(accountId) {
      // Callers at the same time share what the first of them opens.
      const opened = await limit(accountId, () => open(accountId))
      opened.usedAtMs = clock.now()
      return opened.picture
    },
    close() {
      closing.abort()
      for (const accountId of [...pictures.keys()]) close(accountId)
    },
  }
}

function toPicture(accountId: string, replica: Replica, reads: Pick<AirPicture, 'detail' | 'history'>): AirPicture {
  return {
    get id() {
      return `${accountId} ${replica.holder()}`
    },
    get timeMs() {
      return replica.timeMs()
    },
    get sequence() {
      return replica.sequence()
    },
    tracks: replica.tracks,
    ...reads,
    alerts: replica.alerts,
    moreAlerts: replica.moreAlerts,
    sensors: replica.sensors,
    areas: replica.areas,
    since: (sequence: number): AirFrame | undefined => replica.since(sequence),
    watch: replica.watch,
  }
}
