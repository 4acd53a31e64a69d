/**
 * Sends the air picture of accounts to TAK servers, as Cursor on Target.
 * In: destinations, each with an account. Out: a function that ends them. Each destination has a connection, which is opened again
 * when it breaks; then all tracks are sent, and after that what changes, each track at most once a second.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import { toCotEvent } from '../formats/cot-event.ts'
import type { AirPicture, AirPictures } from '../picture.ts'
import { type CotAddress, type CotCertificates, type CotConnection, connectCot } from './cot-connection.ts'
import { createPendingTracks } from './pending-tracks.ts'

export interface CotDestination extends CotAddress {
  accountId: string
}

export interface CotOutputsOptions {
  pictures: AirPictures
  destinations: readonly CotDestination[]
  certificates: CotCertificates
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn'>
  /** From 0 to below 1. Default: `Math.random`. */
  random?: () => number
}

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
  { pictures, certificates, clock, logger, random = Math.random }: Omit<CotOutputsOptions, 'destinations'>,
  stopping: AbortSignal,
): Promise<void> {
  const { accountId, host, port } = destination
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
 * @param onWorking Called when the connection is still open after the first round: with TLS 1.3 a server refuses the client's
 * certificate only after the client has connected.
 */
async function send(
  connection: CotConnection,
  picture: AirPicture,
  accountId: string,
  clock: Clock,
  onWorking: () => void,
): Promise<void> {
  const pending = createPendingTracks()
  const stopWatching = picture.watch(({ full, tracks, ended }) => {
    pending.add(full ? picture.tracks() : tracks)
    pending.remove(ended)
  })
  try {
    pending.add(picture.tracks())
    for (let round = 0; ; round++) {
      // What changes during this round waits for the next one.
      for (let left = pending.size(); left > 0; left--) {
        const track = pending.take()
        if (!track) break
        await connection.write(toCotEvent(track, accountId, picture.timeMs))
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
