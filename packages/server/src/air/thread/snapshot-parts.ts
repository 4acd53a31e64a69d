/**
 * Writes the snapshot of a picture for the store, and reads it.
 * In: a snapshot. Out: parts of lines of JSON, each compressed: the store writes a value in one step, and one text of a
 * whole picture could be longer than V8 allows. The first line has the snapshot with empty lists; the others have the
 * items of the lists.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import type { TrackerSnapshot } from '@posrep/air'

/** Of a part before it is compressed. */
const partCharacters = 1024 * 1024
const itemsPerLine = 16

export function toParts(snapshot: TrackerSnapshot): string[] {
  const parts: string[] = []
  let lines: string[] = []
  let characters = 0
  const endPart = () => {
    parts.push(gzipSync(lines.join('\n'), { level: 1 }).toString('base64'))
    lines = []
    characters = 0
  }
  for (const line of toLines(snapshot)) {
    lines.push(line)
    characters += line.length
    if (characters >= partCharacters) endPart()
  }
  if (lines.length > 0) endPart()
  return parts
}

/**
 * Undefined if there are no parts, or if another version wrote them: the picture then begins empty.
 * @throws Error when the parts cannot be read
 */
export function fromParts(parts: readonly string[]): TrackerSnapshot | undefined {
  let snapshot: TrackerSnapshot | undefined
  for (const part of parts) {
    for (const line of gunzipSync(Buffer.from(part, 'base64')).toString().split('\n')) {
      const value: unknown = JSON.parse(line)
      if (snapshot) addItems(snapshot, value as Items)
      else {
        snapshot = value as TrackerSnapshot
        if (snapshot.version !== 3) return undefined
      }
    }
  }
  return snapshot
}

/** The number of a list in `listsOf`, and some of its items. */
type Items = [list: number, items: unknown[]]

function* toLines(snapshot: TrackerSnapshot): Generator<string> {
  const lists = listsOf(snapshot)
  yield JSON.stringify(snapshot, (_, value) => (lists.includes(value) ? [] : value))
  for (const [number, list] of lists.entries()) {
    for (let at = 0; at < list.length; at += itemsPerLine) {
      yield JSON.stringify([number, list.slice(at, at + itemsPerLine)] satisfies Items)
    }
  }
}

function addItems(snapshot: TrackerSnapshot, [number, items]: Items): void {
  listsOf(snapshot)[number]?.push(...items)
}

/** What grows with the targets, sensors and alerts of an account. */
function listsOf({ tracker, alerts, sensors }: TrackerSnapshot): unknown[][] {
  const { book, conflicts } = alerts
  return [
    tracker.targets,
    tracker.sensors,
    tracker.evidence,
    sensors,
    conflicts.pairs,
    conflicts.advice,
    book.pending,
    book.active,
    book.ended,
    book.changed,
  ]
}
