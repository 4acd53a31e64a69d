/**
 * Registers many sensors, all or none, in chunks, with pauses for other users of the storage.
 * In: validated records. Out: the indexes of records whose ID is taken; then none is registered.
 * A lock record in the directory names the running import, and its records stay hidden until the lock is removed.
 * An import that finds an expired lock removes the records of that import first, so a crash leaves nothing behind.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceRecord, Directory, SensorImport } from '../../ports/storage/directory.ts'
import { AdminError } from '../admin-error.ts'

export interface BulkRegistrationOptions {
  directory: Directory
  clock: Clock
  /** Records written in one step. Default 250, which takes the storage a few milliseconds. */
  chunkSize?: number
}

const lockId = 'current'
/** The lock is renewed every second. It expires after 10 s without renewal, many times what a chunk takes. */
const renewEveryMs = 1_000
const expiresAfterMs = 10_000

/** @throws AdminError `conflict` when another import is running. */
export async function registerAll(
  records: DeviceRecord[],
  { directory, clock, chunkSize = 250 }: BulkRegistrationOptions,
): Promise<number[]> {
  const importId = randomUUID()
  const lock: SensorImport = { id: lockId, importId, holder: importId, aliveAtMs: clock.now() }

  let renewedAtMs = lock.aliveAtMs
  await acquireLock()
  try {
    const conflicts = await writeAll()
    if (conflicts.length > 0) await removeRecords(lock)
    await releaseLock()
    return conflicts
  } catch (error) {
    // If this fails too, the lock stays and expires; the next import removes the records.
    await removeRecords(lock)
    await releaseLock()
    throw error
  }

  /** Waits for the lock. Throws if another import renews it meanwhile, and cleans up after an import that died. */
  async function acquireLock(): Promise<void> {
    let waitedFor: SensorImport | undefined
    while (!(await directory.insert('sensorImport', lock))) {
      const other = await directory.find('sensorImport', lockId)
      if (!other) continue
      if (clock.now() - other.aliveAtMs < expiresAfterMs) {
        if (waitedFor && waitedFor.aliveAtMs !== other.aliveAtMs) {
          throw new AdminError('conflict', 'Another import is running; start this one when it has ended')
        }
        waitedFor = other
        await clock.sleep(renewEveryMs)
        continue
      }
      const isTakenOver = await takeLock(
        (current) => current.holder === other.holder && current.aliveAtMs === other.aliveAtMs,
      )
      if (!isTakenOver) continue
      await removeRecords(other)
      await releaseLock()
    }
  }

  async function writeAll(): Promise<number[]> {
    for (let from = 0; from < records.length; from += chunkSize) {
      const startedAtMs = clock.now()
      const chunk = records.slice(from, from + chunkSize).map((record) => ({ ...record, importId }))
      const conflicts = await directory.insertAll('device', chunk)
      if (conflicts.length > 0) return conflicts.map((index) => from + index)
      const isLast = from + chunkSize >= records.length
      if ((isLast || clock.now() - renewedAtMs >= renewEveryMs) && !(await renewLock())) {
        throw new AdminError('conflict', 'The import paused for too long, and another import removed its sensors')
      }
      if (!isLast) await pause(startedAtMs)
    }
    return []
  }

  async function removeRecords({ importId }: SensorImport): Promise<void> {
    for (;;) {
      const startedAtMs = clock.now()
      const where = { index: 'importId', equals: importId }
      const chunk = await directory.list('device', { where, limit: chunkSize, withUnfinished: true })
      if (chunk.length === 0) return
      await Promise.all(chunk.map(({ id }) => directory.remove('device', id)))
      await renewLock()
      await pause(startedAtMs)
    }
  }

  /** Makes this import the holder of the lock and renews it, if `isExpected` accepts the current lock. */
  async function takeLock(isExpected: (current: SensorImport) => boolean): Promise<boolean> {
    const { holder } = lock
    renewedAtMs = clock.now()
    const changed = await directory.update('sensorImport', lockId, (current) =>
      isExpected(current) ? { ...current, holder, aliveAtMs: clock.now() } : current,
    )
    return changed?.holder === holder
  }

  /** False when the lock expired and another import took it. */
  function renewLock(): Promise<boolean> {
    return takeLock(({ holder }) => holder === lock.holder)
  }

  async function releaseLock(): Promise<void> {
    if (await renewLock()) await directory.remove('sensorImport', lockId)
  }

  /** Pauses as long as the chunk took, so that half of the storage's time is left to others. */
  async function pause(startedAtMs: number): Promise<void> {
    const pauseMs = clock.now() - startedAtMs
    if (pauseMs > 0) await clock.sleep(pauseMs)
  }
}
