/** Where frames of air pictures come from: from the worker of this process, or from another process. */
import type { HistoryQuery } from '@posrep/air'
import type { AirTrackDetail } from '@posrep/spec'
import type { HistoryTexts } from '../picture.ts'

/** A frame as it travels between threads and processes. */
export interface AirMessage {
  /** The process that holds the picture. */
  holder: string
  /** Increases by 1 with each frame of a holder; a new holder begins higher than all earlier ones. */
  sequence: number
  /** AirFrame as JSON. */
  frame: string
}

export interface AirSource {
  /** Calls `listener` with each frame of the account while its picture is held. Returns a function that ends this. */
  follow(accountId: string, listener: (message: AirMessage) => void): () => void
  /** The whole picture; undefined if it is not held there. */
  whole(accountId: string): Promise<AirMessage | undefined>
  /** Undefined if the picture is not held there. */
  detail(accountId: string, trackId: string): Promise<{ detail: AirTrackDetail | undefined } | undefined>
  /** Undefined if the picture is not held there. */
  history(accountId: string, query: HistoryQuery): Promise<HistoryTexts | undefined>
}
