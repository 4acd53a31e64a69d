/**
 * Sends the air picture of accounts to TAK servers, as Cursor on Target.
 * In: destinations, each with an account. Out: a function that ends them. Each destination has a connection, which is
 * opened again when it breaks; then all tracks are sent, and after that what changes, each track at most once a second.
 * Other work runs between a few tracks: the machine takes megabytes before the other side has read any.
 */
import { setImmediate } from 'node:timers/promises'
import { toCursorOnTarget } from '@posrep/air/formats'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { AirPicture, AirPictures } from '../picture.ts'
import { type CotAddress, type CotCertificates, type CotConnection, connectCot } from './cot-connection.ts'
import { createPendingTracks } from './pending-tracks.ts'

export interface CotDestination extends CotAddress {
  accountId: string
  certificates: CotCertificates
}

export interface CotOutputsOptions {
  pictures: AirPictures
  destinations: readonly CotDestination[]
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn'>
  /** From 0 to below 1. Default: `Math.random`. */
  random?: () => number
}

/** A track takes about 20 us. */
const tracksAtOnce = 50
const roundMs = 1_000
const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** Returns a function that closes the connections. */
export function startCotOutputs({ destinations, ...options }: CotOutputsOptions): () => Promise<void> {
  const stopping = new AbortController()
  const running = destinations.map((destination) => run(destination, options, stopping.signal))
  return async () => {
    stopping.abort()
    await Promise.all(running)
  }
}

async function run(
  destination: CotDestination,
  { pictures, clock, logger, random = Math.random }: Omit<CotOutputsOptions, 'destinations'>,
  stopping: AbortSignal,
): Promise<void> {
  const { accountId, host, port, certificates } = destination
  const fields = { accountId, host, port }
  for (let failures = 0; !stopping.aborted; failures++) {
    try {
      const picture = await pictures.open(accountId)
      const connection = await connectCot(destination, certificates, { clock, signal: stopping })
      await send(connection, picture, accountId, clock, () => {
        logger.info(fields, 'Cursor on Target is connected')
        failures = 0
      })
    } catch (error) {
      // One line tells the operator; the same is tried again until it works.
      if (!stopping.aborted && failures === 0) {
        logger.warn({ ...fields, err: error }, 'Cursor on Target is not connected; retrying')
      }
    }
    const pauseMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs)
    await clock.sleep(pauseMs * (0.5 + random() / 2), stopping)
  }
}

/**
 * Rejects when the connection breaks.
 * @param onWorking Called when the connection is still open after the first round: with TLS 1.3 a server refuses the
 * client's certificate only after the client has connected.
 */
async function send(
  connection: CotConnection,
  picture: AirPicture,
  accountId: string,
  clock: Clock,
  onWorking: () => void,
): Promise<void> {
  const pending = createPendingTracks()
  const namespace = `posrep.${accountId}`
  const stopWatching = picture.watch(({ full, tracks, ended }) => {
    pending.add(full ? picture.tracks() : tracks)
    pending.remove(ended)
  })
  try {
    pending.add(picture.tracks())
    for (let round = 0; ; round++) {
      // What changes during this round waits for the next one.
      for (let left = pending.size(); left > 0; left -= tracksAtOnce) {
        const tracks = pending.take(Math.min(left, tracksAtOnce))
        const events = tracks.map((track) => toCursorOnTarget(track, { timeMs: picture.timeMs, namespace }))
        await connection.write(events.join(''))
        await setImmediate()
      }
      await clock.sleep(roundMs, connection.closed)
      // Rejects if the connection has closed.
      await connection.write('')
      if (round === 0) onWorking()
    }
  } finally {
    stopWatching()
    connection.close()
  }
}
