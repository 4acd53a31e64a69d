/**
 * Appends what the air picture of an account is made of to the `AirLog`.
 * In: reports of one device, from the pipeline. Out: they are durable. Calls of an account that arrive while its append
 * runs share the next one, as one entry.
 */
import { createBatch } from '../../concurrency/batch.ts'
import type { AirLog, LogBound, NewEntry } from '../../ports/storage/log.ts'
import { areasEntry, type DeviceRows, type InboxReport, toEntryBody, toRow } from './air-entry.ts'
import type { RecentTexts } from './recent-texts.ts'

export interface AirInbox {
  /**
   * Resolves when the reports are durable. A report that is appended twice is processed once.
   * @param isKept Whether the recent reports keep these reports. If not, their texts are stored in the entry.
   * @throws ApiError `unavailable`
   */
  append(accountId: string, deviceUrn: string, reports: readonly InboxReport[], isKept: boolean): Promise<void>
  /** Tells the picture that the areas of the account were set. @throws ApiError `unavailable` */
  appendAreas(accountId: string): Promise<void>
}

export interface AirInboxOptions {
  airLog: AirLog
  texts: RecentTexts
  onDropped(entries: number): void
}

/**
 * Entries stay until a snapshot of the picture covers them, about ten seconds. Old positions are worth little, so
 * beyond this the oldest are dropped.
 */
const bound: LogBound = { perQueue: 20_000, bytesPerQueue: 32 * 1024 * 1024 }
const maxAppendBytes = 2 * 1024 * 1024
const bytesPerReport = 32

interface Account {
  append(rows: DeviceRows): Promise<void>
  /** Calls that have not ended. */
  calls: number
}

export function createAirInbox({ airLog, texts, onDropped }: AirInboxOptions): AirInbox {
  const accounts = new Map<string, Account>()

  async function appendEntry(entry: NewEntry): Promise<void> {
    const { dropped, others = [] } = await airLog.append([entry], bound)
    const inAll = others.reduce((sum, other) => sum + other.entries, dropped)
    if (inAll > 0) onDropped(inAll)
  }

  /** Each account has its own batches, so that one whose part of the storage is away does not delay the others. */
  function toAccount(queue: string): Account {
    const append = createBatch<DeviceRows>({
      run: (rows) => appendEntry({ queue, body: toEntryBody(rows) }),
      isSerial: true,
      maxBytes: maxAppendBytes,
      sizeOf: ([, rows]) => rows.reduce((sum, [, , , , text = '']) => sum + bytesPerReport + text.length, 0),
    })
    return { append, calls: 0 }
  }

  async function appendRows(accountId: string, rows: DeviceRows): Promise<void> {
    const account = accounts.get(accountId) ?? toAccount(accountId)
    accounts.set(accountId, account)
    account.calls++
    try {
      await account.append(rows)
    } finally {
      if (--account.calls === 0) accounts.delete(accountId)
    }
  }

  return {
    append(accountId, deviceUrn, reports, isKept) {
      if (isKept) for (const { seq, raw } of reports) texts.add(seq, raw)
      return appendRows(accountId, [deviceUrn, reports.map((report) => toRow(report, isKept))])
    },
    appendAreas: (accountId) => appendEntry({ queue: accountId, body: areasEntry }),
  }
}
