/**
 * The frames of the pictures that this process holds.
 * In: frames of the thread. Out: the same with sequence numbers, for those who follow the account.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AirMessage, AirSource } from '../pictures/air-source.ts'
import type { AirThread } from '../thread/start-air-thread.ts'
import { AirThreadEnded, PictureNotOpen } from '../thread/thread-ended.ts'

export interface Frames {
  source: AirSource
  /** Connects the worker, which starts after the first pictures may have been opened. */
  attach(worker: { thread: AirThread; isHeld(accountId: string): boolean }): void
  /** Call it when a picture was opened: those who follow it get it as a whole. */
  opened(accountId: string): Promise<void>
}

export function createFrames({ clock }: { clock: Clock }): Frames {
  const holder = randomUUID()
  const sequences = new Map<string, number>()
  const listeners = new Map<string, Set<(message: AirMessage) => void>>()
  let worker: Parameters<Frames['attach']>[0] | undefined

  function receive(accountId: string, frame: string): void {
    const sequence = (sequences.get(accountId) ?? 0) + 1
    sequences.set(accountId, sequence)
    tell(accountId, { holder, sequence, frame })
  }

  /** Whoever knows an earlier number needs the whole picture. */
  function advance(accountId: string): void {
    // Frames are at least a second apart, so no earlier holder has reached this number.
    sequences.set(accountId, Math.max(Math.floor(clock.now() / 1_000), (sequences.get(accountId) ?? 0) + 1))
  }

  function setFollowed(accountId: string, isFollowed: boolean): void {
    worker?.thread.command({ kind: 'follow', accountId, isFollowed })
  }

  function tell(accountId: string, message: AirMessage): void {
    for (const listener of listeners.get(accountId) ?? []) listener(message)
  }

  async function whole(accountId: string): Promise<AirMessage | undefined> {
    if (!worker?.isHeld(accountId)) return undefined
    const frame = await worker.thread.request({ kind: 'whole', accountId }).catch(toUnavailable)
    // The thread sends its messages in order, so this is the number of the last frame before the whole picture.
    return { holder, sequence: sequences.get(accountId) ?? 0, frame }
  }

  return {
    source: {
      follow(accountId, listener) {
        const ofAccount = listeners.get(accountId) ?? new Set()
        listeners.set(accountId, ofAccount)
        ofAccount.add(listener)
        if (ofAccount.size === 1) {
          // What changed while nobody followed is lost.
          advance(accountId)
          setFollowed(accountId, true)
        }
        return () => {
          ofAccount.delete(listener)
          if (ofAccount.size > 0 || listeners.get(accountId) !== ofAccount) return
          listeners.delete(accountId)
          setFollowed(accountId, false)
        }
      },
      whole,
      async detail(accountId, trackId) {
        if (!worker?.isHeld(accountId)) return undefined
        return { detail: await worker.thread.request({ kind: 'detail', accountId, trackId }).catch(toUnavailable) }
      },
      async history(accountId, query) {
        if (!worker?.isHeld(accountId)) return undefined
        return worker.thread.request({ kind: 'history', accountId, query }).catch(toUnavailable)
      },
    },
    attach(given) {
      worker = given
      worker.thread.onFrame(receive)
    },
    async opened(accountId) {
      advance(accountId)
      if (!listeners.has(accountId)) return
      setFollowed(accountId, true)
      const message = await whole(accountId)
      if (message) tell(accountId, message)
    },
  }
}

function toUnavailable(cause: unknown): never {
  if (!(cause instanceof AirThreadEnded || cause instanceof PictureNotOpen)) throw cause
  throw new ApiError('unavailable', 'The air picture is being opened again; try again in a few seconds', { cause })
}
