/**
 * Writes many sensors, all or none, in portions between which others have their turn.
 * In: records that were judged before. Out: the places of those that somebody else took meanwhile; then none is there.
 * A note in the directory says which bulk is under way; until it is gone nobody sees what was written. Who finds a note that nobody keeps alive takes back what is there
 * of it; so what a process left half-done when it died is gone before the next bulk begins.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, Directory, SensorImport } from '../ports/directory.ts'
import { AdminError } from './admin-error.ts'

export interface BulkRegistrationOptions {
  directory: Directory
  clock: Clock
  /** Records written in one step. Default 250: some milliseconds of the storage's time. */
  portion?: number
}

const noteId = 'current'
/** How often an import says that it is alive, and how long it may say nothing: many times what a portion takes. */
const noteEveryMs = 1_000
const deadAfterMs = 10_000

/** @throws AdminError when another bulk is under way. */
export async function registerAll(
  records: DeviceRecord[],
  { directory, clock, portion = 250 }: BulkRegistrationOptions,
): Promise<number[]> {
  const importId = randomUUID()
  const note: SensorImport = { id: noteId, importId, holder: importId, aliveAtMs: clock.now() }

  let notedAtMs = note.aliveAtMs
  await begin()
  try {
    const inTheWay = await writeAll()
    if (inTheWay.length > 0) await takeBack(note)
    await end()
    return inTheWay
  } catch (error) {
    // Where this fails as well the note stays, and the next bulk does it.
    await takeBack(note)
    await end()
    throw error
  }

  /** Waits for the end of an import that was heard of lately, unless it is heard of again. */
  async function begin(): Promise<void> {
    let waitedFor: SensorImport | undefined
    while (!(await directory.insert('sensorImport', note))) {
      const other = await directory.find('sensorImport', noteId)
      if (!other) continue
      if (clock.now() - other.aliveAtMs < deadAfterMs) {
        if (waitedFor && waitedFor.aliveAtMs !== other.aliveAtMs) {
          throw new AdminError('conflict', 'Another import is under way; begin this one when that has ended')
        }
        waitedFor = other
        await clock.sleep(noteEveryMs)
        continue
      }
      const seized = await changeNote(
        (current) => current.holder === other.holder && current.aliveAtMs === other.aliveAtMs,
      )
      if (!seized) continue
      await takeBack(other)
      await end()
    }
  }

  async function writeAll(): Promise<number[]> {
    for (let from = 0; from < records.length; from += portion) {
      const startedAtMs = clock.now()
      const own = records.slice(from, from + portion).map((record) => ({ ...record, importId }))
      const inTheWay = await directory.insertAll('device', own)
      if (inTheWay.length > 0) return inTheWay.map((place) => from + place)
      const isLast = from + portion >= records.length
      if ((isLast || clock.now() - notedAtMs >= noteEveryMs) && !(await isHeld())) {
        throw new AdminError('conflict', 'The import stood still for so long that another one took it back')
      }
      if (!isLast) await rest(startedAtMs)
    }
    return []
  }

  async function takeBack({ importId }: SensorImport): Promise<void> {
    for (;;) {
      const startedAtMs = clock.now()
      const left = await directory.list('device', { where: { index: 'importId', equals: importId }, limit: portion })
      if (left.length === 0) return
      await Promise.all(left.map(({ id }) => directory.remove('device', id)))
      await isHeld()
      await rest(startedAtMs)
    }
  }

  /** Makes the note ours, and of now, where it still is what `isExpected` says. */
  async function changeNote(isExpected: (current: SensorImport) => boolean): Promise<boolean> {
    const { holder } = note
    notedAtMs = clock.now()
    const changed = await directory.update('sensorImport', noteId, (current) =>
      isExpected(current) ? { ...current, holder, aliveAtMs: clock.now() } : current,
    )
    return changed?.holder === holder
  }

  /** Says that this bulk is alive; false when another one has found it dead meanwhile. */
  function isHeld(): Promise<boolean> {
    return changeNote(({ holder }) => holder === note.holder)
  }

  async function end(): Promise<void> {
    if (await isHeld()) await directory.remove('sensorImport', noteId)
  }

  /** As long as the portion took, so that half of the storage's time is others'. */
  async function rest(startedAtMs: number): Promise<void> {
    const restMs = clock.now() - startedAtMs
    if (restMs > 0) await clock.sleep(restMs)
  }
}
