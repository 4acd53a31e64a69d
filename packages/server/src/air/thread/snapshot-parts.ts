/**
 * Writes the snapshot of a picture for the store, and reads it.
 * In: a snapshot. Out: texts of at most a megabyte, compressed, because the store writes each value in one step.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import type { AccountSnapshot } from '../account/account-picture.ts'

const partCharacters = 1024 * 1024

export function toParts(snapshot: AccountSnapshot): string[] {
  const text = gzipSync(JSON.stringify(snapshot), { level: 1 }).toString('base64')
  const parts: string[] = []
  for (let at = 0; at < text.length; at += partCharacters) parts.push(text.slice(at, at + partCharacters))
  return parts
}

/** Undefined if there are no parts, or if another version wrote them: the picture then begins empty. */
export function fromParts(parts: readonly string[]): AccountSnapshot | undefined {
  if (parts.length === 0) return undefined
  const snapshot = JSON.parse(gunzipSync(Buffer.from(parts.join(''), 'base64')).toString()) as AccountSnapshot
  return snapshot.version === 1 ? snapshot : undefined
}
