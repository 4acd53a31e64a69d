/**
 * The air pictures of several accounts, as the thread runs them.
 * In: messages. Out: replies and frames. Accounts take turns in portions of a few milliseconds, so that one account
 * with many reports does not delay the frames of another for long.
 */
import { createTracker, type Terrain, type Tracker, type TrackerCounts } from '@posrep/air'
import type { AirReplies, AirRequest, AirThreadOptions, FromThread, ThreadReport, ToThread } from './messages.ts'
import { subtractCounts, toHistoryTexts } from './picture-figures.ts'
import { type Mend, readReport } from './read-report.ts'
import { fromParts, toParts } from './snapshot-parts.ts'
import { PictureNotOpen } from './thread-ended.ts'

export interface AirEngine {
  receive(message: ToThread): void
  /** Works for one portion. Returns whether there is more. */
  work(): boolean
}

export interface AirEngineOptions extends Omit<AirThreadOptions, 'terrainUrl'> {
  mend: Mend
  terrain?: Terrain | undefined
  send(message: FromThread): void
  /** A monotonic clock, for the portions. */
  elapsedMs(): number
  /** Called with the id of a request before the work on it, and with 0 after it. */
  onWork?(requestId: number): void
}

interface Account {
  id: string
  picture: Tracker | undefined
  /** As of the last snapshot. */
  counts: TrackerCounts | undefined
  requests: { id: number; request: AirRequest }[]
  /** The next of the reports of the first request. */
  nextReport: number
  /** The report whose positions are taken now. */
  receiving: Iterator<unknown> | undefined
  positions: number
  /** Reports that the picture could not take, and why not the first of them. */
  setAside: number
  reason: string | undefined
  /** Failed steps, and when the process was told of them. */
  failures: number
  toldAtMs: number
  isFollowed: boolean
  framedAtMs: number
}

const portionMs = 10
const frameEveryMs = 1_000
/**
 * Seconds without entries are run this much later, because an entry becomes visible a little after its time. An entry
 * that comes even later counts as of then.
 */
const graceMs = 1_000
/** As far as the clocks of two processes may be apart. A picture waits until its time has come. */
const maxAheadMs = 5_000
const done = { value: undefined }
/** A step that fails usually fails every second. */
const tellEveryMs = 60_000

export function createAirEngine({
  send,
  elapsedMs,
  onWork = () => {},
  mend,
  maxTargets,
  ...options
}: AirEngineOptions): AirEngine {
  const accounts = new Map<string, Account>()
  /** Accounts with requests, in the order of their turns. */
  let turns: Account[] = []

  function accountOf(id: string): Account {
    const known = accounts.get(id)
    if (known) return known
    const account: Account = {
      id,
      picture: undefined,
      counts: undefined,
      requests: [],
      nextReport: 0,
      receiving: undefined,
      positions: 0,
      setAside: 0,
      reason: undefined,
      failures: 0,
      toldAtMs: Number.NEGATIVE_INFINITY,
      isFollowed: false,
      framedAtMs: 0,
    }
    accounts.set(id, account)
    return account
  }

  function setTime(nowMs: number): void {
    for (const account of accounts.values()) {
      try {
        keepCurrent(account, nowMs)
      } catch (error) {
        fail(account, error)
      }
    }
  }

  function keepCurrent(account: Account, nowMs: number): void {
    const { picture } = account
    if (!picture) return
    // The entries that wait have earlier times.
    if (account.requests.length === 0) picture.advance(nowMs - graceMs)
    if (nowMs - account.framedAtMs < frameEveryMs) return
    account.framedAtMs = nowMs
    if (!account.isFollowed) picture.dropChanges()
    const frame = account.isFollowed ? picture.takeChanges() : undefined
    if (frame) send({ kind: 'frame', accountId: account.id, frame: JSON.stringify(frame) })
  }

  /** A mistake of ours in one account must not stop the thread. */
  function fail(account: Account, error: unknown): void {
    account.failures++
    if (elapsedMs() - account.toldAtMs < tellEveryMs) return
    send({ kind: 'stepFailed', accountId: account.id, error: toReason(error), times: account.failures })
    account.failures = 0
    account.toldAtMs = elapsedMs()
  }

  /** Takes positions of the reports until the portion ends. Returns the reply when all are processed. */
  function takeReports(account: Account, entryAtMs: number, reports: readonly ThreadReport[], untilMs: number) {
    const picture = getPicture(account)
    while (elapsedMs() < untilMs) {
      try {
        account.receiving ??= nextOf(account, picture, reports, entryAtMs)
        if (!account.receiving) break
        if (account.receiving.next().done) account.receiving = undefined
        else account.positions++
      } catch (error) {
        // The ingest has checked it, so this is a mistake of ours. It must not stop the account's picture.
        account.setAside++
        account.reason ??= toReason(error)
        account.receiving = undefined
      }
    }
    if (account.receiving || account.nextReport < reports.length) return undefined
    const { positions, setAside, reason } = account
    Object.assign(account, { nextReport: 0, positions: 0, setAside: 0, reason: undefined })
    return { positions, setAside, ...(reason !== undefined && { reason }) }
  }

  function nextOf(account: Account, picture: Tracker, reports: readonly ThreadReport[], entryAtMs: number) {
    const report = reports[account.nextReport++]
    if (!report) return undefined
    const { deviceUrn, seq, receivedAtMs } = report
    return picture.addInSteps(readReport(report, mend), receivedAtMs, { deviceId: deviceUrn, seq, atMs: entryAtMs })
  }

  function open(account: Account, { nowMs, parts, areas }: Extract<AirRequest, { kind: 'open' }>): void {
    const onFailed = (error: unknown) => fail(account, error)
    const snapshot = fromParts(parts)
    const aheadMs = (snapshot?.timeMs ?? nowMs) - nowMs
    if (aheadMs > maxAheadMs)
      throw new Error(`The clock was set back: the snapshot is ${aheadMs / 1_000} s ahead of it`)
    account.picture = createTracker({ ...options, maxTracks: maxTargets, areas, onFailed, snapshot })
    account.counts = account.picture.counts()
  }

  function takeSnapshot(account: Account): AirReplies['snapshot'] {
    const picture = getPicture(account)
    const startedAtMs = elapsedMs()
    const parts = toParts(picture.snapshot())
    const { targets, crowded, moreAlerts, ...leftOut } = picture.counts()
    const before = account.counts
    account.counts = picture.counts()
    return {
      parts,
      tookMs: elapsedMs() - startedAtMs,
      isResting: picture.isResting(),
      now: { targets, crowded, moreAlerts },
      leftOut: before ? subtractCounts(leftOut, before) : leftOut,
      silentSensors: picture.sensors().flatMap(({ deviceId, state }) => (state === 'silent' ? [deviceId] : [])),
    }
  }

  /** Undefined while reports are left for the next turn. */
  function answer(
    account: Account,
    request: AirRequest,
    untilMs: number,
  ): { value: AirReplies[keyof AirReplies] } | undefined {
    switch (request.kind) {
      case 'open':
        open(account, request)
        return done
      case 'reports': {
        const value = takeReports(account, request.entryAtMs, request.reports, untilMs)
        return value && { value }
      }
      case 'areas':
        getPicture(account).setAreas(request.areas)
        return done
      case 'forgetSensor':
        getPicture(account).forgetSensor(request.deviceUrn)
        return done
      case 'snapshot':
        return { value: takeSnapshot(account) }
      case 'whole':
        return { value: JSON.stringify(getPicture(account).whole()) }
      case 'detail':
        return { value: getPicture(account).find(request.trackId) }
      case 'history':
        return { value: toHistoryTexts(getPicture(account), request.query) }
    }
  }

  function setFollowed(accountId: string, isFollowed: boolean): void {
    const account = accounts.get(accountId)
    if (account) account.isFollowed = isFollowed
  }

  function work(): boolean {
    const account = turns.shift()
    if (!account) return false
    const untilMs = elapsedMs() + portionMs
    for (let next = account.requests[0]; next && elapsedMs() < untilMs; next = account.requests[0]) {
      onWork(next.id)
      try {
        const answered = answer(account, next.request, untilMs)
        if (!answered) break
        account.requests.shift()
        send({ kind: 'reply', id: next.id, ...answered })
      } catch (error) {
        account.requests.shift()
        account.nextReport = 0
        account.receiving = undefined
        send({ kind: error instanceof PictureNotOpen ? 'notOpen' : 'failed', id: next.id, error: toReason(error) })
      }
    }
    onWork(0)
    if (account.requests.length > 0) turns.push(account)
    return turns.length > 0
  }

  return {
    receive(message) {
      switch (message.kind) {
        case 'time':
          return setTime(message.nowMs)
        case 'follow':
          return setFollowed(message.accountId, message.isFollowed)
        case 'close': {
          const account = accounts.get(message.accountId)
          accounts.delete(message.accountId)
          turns = turns.filter((other) => other !== account)
          for (const { id } of account?.requests ?? []) send({ kind: 'notOpen', id, error: 'The picture was closed' })
          return
        }
        case 'request': {
          const account = accountOf(message.request.accountId)
          if (account.requests.length === 0) turns.push(account)
          account.requests.push({ id: message.id, request: message.request })
        }
      }
    },
    work,
  }
}

export function toReason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function getPicture({ id, picture }: Account): Tracker {
  if (!picture) throw new PictureNotOpen(`The picture of "${id}" is not open`)
  return picture
}
