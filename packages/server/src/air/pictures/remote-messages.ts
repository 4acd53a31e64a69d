/** The announcements between a process that follows an air picture and the process that holds it. */
import type { HistoryQuery } from '@posrep/air'
import type { AirTrackDetail } from '@posrep/spec'
import type { HistoryTexts } from '../picture.ts'
import type { AirMessage } from './air-source.ts'

/** Sent to all processes. */
export interface Want {
  /** The process that needs the picture. */
  from: string
  accountId: string
  /** An answer with this id is expected: the whole picture, or the track, or the history. */
  answerId?: string
  trackId?: string
  history?: HistoryQuery
}

/** Sent to the processes that follow the account. */
export type Sent =
  | { kind: 'frame'; message: AirMessage }
  | { kind: 'whole'; answerId: string; message: AirMessage }
  | { kind: 'detail'; answerId: string; detail?: AirTrackDetail }
  | { kind: 'history'; answerId: string; history: HistoryTexts }

/** Every process listens to it. */
export const wantsChannel = 'air:wants'

/** The processes that follow the account listen to it. */
export function toFramesChannel(accountId: string): string {
  return `air:frames:${accountId}`
}
