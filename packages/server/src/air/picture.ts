/** The air picture of an account as operations and pages read it, in whichever process the tracker runs. */
import type { HistoryQuery } from '@posrep/air'
import type { AirAlert, AirAreaList, AirFrame, AirSensor, AirTrack, AirTrackDetail } from '@posrep/spec'

export interface AirPictures {
  /**
   * The picture of the account, which stays current while somebody uses it.
   * @throws ApiError `unavailable` when the store does not answer.
   */
  open(accountId: string): Promise<AirPicture>
}

/**
 * Reads are in memory, except `detail` and `history`. The objects are shared and must not be changed; what has changed
 * is another object.
 */
export interface AirPicture {
  /**
   * Names the account, and the process that numbers the frames: a number says nothing of a picture with another name.
   */
  readonly id: string
  /** Ms since the epoch. */
  readonly timeMs: number
  tracks(): Iterable<AirTrack>
  /**
   * Undefined for an unknown track. It is read where the tracker runs, because the histories of all tracks are large.
   * @throws ApiError `unavailable` when that does not answer.
   */
  detail(trackId: string): Promise<AirTrackDetail | undefined>
  /**
   * Where the targets were. It is read where the tracker runs, too.
   * @throws ApiError `unavailable` when that does not answer.
   */
  history(query: HistoryQuery): Promise<HistoryTexts>
  /** The active alerts, newest first, then those that ended in the last hour. */
  alerts(): readonly AirAlert[]
  /** How many conditions are no alerts, because there are too many. */
  moreAlerts(): number
  sensors(): readonly AirSensor[]
  areas(): AirAreaList
  /**
   * The sequence number of the latest frame. It increases by 1 with each frame, and a picture that starts again starts
   * above all numbers of the one before it (the time in seconds is such a number, as frames come once a second at
   * most): clients continue by these numbers.
   */
  readonly sequence: number
  /** What changed since the frame with this number, as one frame; undefined if that frame is too old or unknown. */
  since(sequence: number): AirFrame | undefined
  /**
   * Calls `listener` for each new frame, about once a second while something changes. Returns a function that ends
   * this.
   */
  watch(listener: (frame: AirFrame, sequence: number) => void): () => void
}

export interface HistoryTexts {
  timeMs: number
  /** AirPaths as JSON, sorted by ID. */
  paths: string[]
  truncated: boolean
}
