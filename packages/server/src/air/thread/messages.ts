/** The messages between the process and the thread of the air pictures. */

import type { HistoryQuery } from '@posrep/air'
import type { SeparationSetting } from '@posrep/air/alerts'
import type { AirAreaList, AirTrackDetail } from '@posrep/spec'
import type { AirLeftOut, AirNow } from '../../ports/meter.ts'
import type { EntryText } from '../../ports/storage/entry-text.ts'
import type { HistoryTexts } from '../picture.ts'

export interface AirThreadOptions {
  maxTargets: number
  separation: SeparationSetting
  /** Of the module with the terrain function. */
  terrainUrl?: string | undefined
}

/** What the thread is started with. */
export interface AirThreadData extends AirThreadOptions {
  /** Shared memory: the thread writes the id of the request that it works on, and 0 after it. */
  atWork: Int32Array
}

/** A report with its text. */
export interface ThreadReport {
  deviceUrn: string
  seq: number
  receivedAtMs: number
  duplicates: readonly number[]
  /** Bytes are transferred: the sender cannot use them any more. */
  text: EntryText
}

/** Work on one account; it is done in the order of the requests. */
export type AirRequest =
  /**
   * Starts the account's picture, from a snapshot if there is one. An open picture is replaced. Fails if the snapshot
   * is of the future.
   */
  | { kind: 'open'; accountId: string; nowMs: number; parts: readonly string[]; areas: AirAreaList }
  | { kind: 'reports'; accountId: string; entryAtMs: number; reports: readonly ThreadReport[] }
  | { kind: 'areas'; accountId: string; areas: AirAreaList }
  | { kind: 'forgetSensor'; accountId: string; deviceUrn: string }
  | { kind: 'snapshot'; accountId: string }
  | { kind: 'whole'; accountId: string }
  | { kind: 'detail'; accountId: string; trackId: string }
  | { kind: 'history'; accountId: string; query: HistoryQuery }

export interface AirReplies {
  open: undefined
  /** The positions that the picture took, how many reports it set aside, and why it did so with the first of them. */
  reports: { positions: number; setAside: number; reason?: string }
  areas: undefined
  forgetSensor: undefined
  snapshot: SnapshotReply
  /** AirFrame as JSON. */
  whole: string
  detail: AirTrackDetail | undefined
  history: HistoryTexts
}

export interface SnapshotReply {
  parts: string[]
  /** How long the thread needed. */
  tookMs: number
  isResting: boolean
  now: AirNow
  leftOut: Record<AirLeftOut, number>
  silentSensors: string[]
}

/** What the thread does at once. */
export type AirCommand =
  /** The time, several times a second. */
  | { kind: 'time'; nowMs: number }
  /** Whether somebody reads the frames of the account. It has no effect on an account without a picture. */
  | { kind: 'follow'; accountId: string; isFollowed: boolean }
  | { kind: 'close'; accountId: string }

export type ToThread = AirCommand | { kind: 'request'; id: number; request: AirRequest }

export type FromThread =
  | { kind: 'reply'; id: number; value: AirReplies[keyof AirReplies] }
  | { kind: 'failed'; id: number; error: string }
  /** The account of the request has no picture. */
  | { kind: 'notOpen'; id: number; error: string }
  /** The terrain function threw; sent once. */
  | { kind: 'terrainFailed'; error: string }
  /**
   * A step of a second, or a frame, failed `times` times since the last such message: once a minute at most for an
   * account.
   */
  | { kind: 'stepFailed'; accountId: string; error: string; times: number }
  /** `frame`: AirFrame as JSON. */
  | { kind: 'frame'; accountId: string; frame: string }
