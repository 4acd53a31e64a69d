/**
 * The records of the spool's files.
 * In: positions and notes. Out: bytes with a checksum, and back; damaged bytes are skipped and counted.
 *
 * A file begins with a header line. A record is: marker (4 bytes), CRC-32 of what follows (4), kind (1), length of the
 * text (4), two numbers (8 each, IEEE 754), text (UTF-8). All numbers are big-endian. The marker's first byte never
 * occurs in UTF-8, so that the next record can be found after damaged bytes.
 */
import { crc32 } from 'node:zlib'

/** The meaning of the two numbers depends on the kind. */
export interface SpoolRecord {
  /**
   * `clock`: at `second`, a time of the positions after it, the boot `text` of the machine had lasted for `first` ms.
   */
  kind: 'position' | 'gone' | 'dropped' | 'clock'
  /** `position`: its sequence. `gone`: the first sequence of a range. `dropped`: the last sequence that was dropped. */
  first: number
  /**
   * `position`: when it was appended. `gone`: the last sequence of the range. `dropped`: how many were dropped in all.
   */
  second: number
  text: string
}

export interface Scan {
  /** Bytes up to the end of the last good record. */
  goodBytes: number
  /** Records after the last good one whose bytes are complete and whose checksum is wrong. */
  damagedAtEnd: number
}

const kinds = ['position', 'gone', 'dropped', 'clock'] as const
const marker = Buffer.from([0xf5, 0x50, 0x52, 0xf6])
export const recordOverheadBytes = 29

/** Version 1 had no records of the clock. */
const formatVersion = 2
export const header = toHeader(formatVersion)
const earlierHeaders = [toHeader(1)]

export function encodeRecords(records: readonly SpoolRecord[]): Buffer {
  const sizes = records.map(({ text }) => Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size + recordOverheadBytes, 0))
  let offset = 0
  for (const [index, { kind, first, second, text }] of records.entries()) {
    const textBytes = sizes[index] ?? 0
    const end = offset + recordOverheadBytes + textBytes
    marker.copy(bytes, offset)
    bytes[offset + 8] = kinds.indexOf(kind)
    bytes.writeUInt32BE(textBytes, offset + 9)
    bytes.writeDoubleBE(first, offset + 13)
    bytes.writeDoubleBE(second, offset + 21)
    bytes.write(text, offset + recordOverheadBytes)
    bytes.writeUInt32BE(checksum(bytes, offset, end), offset + 4)
    offset = end
  }
  return bytes
}

/** `text()` decodes the text of the record. `damagedBytes`: between the good record before it and this one. */
export type FoundRecord = Omit<SpoolRecord, 'text'> & { textBytes: number; damagedBytes: number; text(): string }

/** Calls `visit` for every good record. */
export function scanRecords(file: Buffer, visit: (record: FoundRecord) => void): Scan {
  let offset = [header, ...earlierHeaders].find((known) => file.indexOf(known) === 0)?.length ?? 0
  let goodBytes = offset
  while (offset < file.length) {
    const end = endOfRecord(file, offset)
    const kind = end === undefined ? undefined : kinds[file[offset + 8] ?? kinds.length]
    if (end !== undefined && kind !== undefined && file.readUInt32BE(offset + 4) === checksum(file, offset, end)) {
      const textAt = offset + recordOverheadBytes
      visit({
        kind,
        first: file.readDoubleBE(offset + 13),
        second: file.readDoubleBE(offset + 21),
        textBytes: end - textAt,
        damagedBytes: offset - goodBytes,
        text: () => file.toString('utf8', textAt, end),
      })
      offset = end
      goodBytes = end
      continue
    }
    const next = file.indexOf(marker, offset + 1)
    offset = next < 0 ? file.length : next
  }
  return { goodBytes, damagedAtEnd: completeRecords(file, goodBytes) }
}

/** The format version that the header names, if it is newer than this code. */
export function findNewerVersion(file: Buffer): number | undefined {
  const [line = '', digits] = /^posrep-spool (\d{1,6}) [0-9a-f]{8}\n/.exec(file.toString('latin1', 0, 40)) ?? []
  const version = Number(digits)
  // A damaged header is not a newer one.
  return line === toHeader(version).toString() && version > formatVersion ? version : undefined
}

function toHeader(version: number): Buffer {
  const text = `posrep-spool ${version}`
  return Buffer.from(`${text} ${crc32(text).toString(16).padStart(8, '0')}\n`)
}

function endOfRecord(file: Buffer, offset: number): number | undefined {
  if (!startsWithMarker(file, offset) || offset + recordOverheadBytes > file.length) return undefined
  const end = offset + recordOverheadBytes + file.readUInt32BE(offset + 9)
  return end <= file.length ? end : undefined
}

function startsWithMarker(file: Buffer, offset: number): boolean {
  return file.length >= offset + marker.length && marker.compare(file, offset, offset + marker.length) === 0
}

function checksum(file: Buffer, offset: number, end: number): number {
  return crc32(file.subarray(offset + 8, end))
}

function completeRecords(file: Buffer, from: number): number {
  let count = 0
  for (let offset = file.indexOf(marker, from); offset >= 0; offset = file.indexOf(marker, offset + 1)) {
    if (endOfRecord(file, offset) !== undefined) count += 1
  }
  return count
}
