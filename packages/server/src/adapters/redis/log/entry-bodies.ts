/**
 * Bodies of entries, some of which have their own keys. In: rows, with a body or its name. Out: the bodies.
 */
import type { RedisLink } from '../link/link.ts'
import type { Row } from './log-rows.ts'

export interface EntryBodies {
  toKey(name: string): string
  /** Returns the bodies by name, read in one call. Deleted bodies are not in the map. */
  read(rows: Pick<Row, 'text'>[]): Promise<Map<string, string>>
  /** Reads page after page until it has `limit` entries or there are no more. */
  listPages<R extends Pick<Row, 'seq' | 'text' | 'isNamed'>>(
    limit: number,
    afterSeq: number | undefined,
    readPage: (afterSeq: number | undefined, most: number) => Promise<R[]>,
  ): Promise<(R & { body: string })[]>
}

/** @param prefix Of the log's keys. */
export function createEntryBodies(link: RedisLink, prefix: string): EntryBodies {
  const toKey = (name: string) => `${prefix}body:${name}`

  async function read(rows: Pick<Row, 'text'>[]): Promise<Map<string, string>> {
    if (rows.length === 0) return new Map()
    const found = await link.read(rows.map(({ text }) => toKey(text)))
    return new Map(rows.flatMap(({ text }, index): [string, string][] => toPair(text, found[index])))
  }

  async function listPages<R extends Pick<Row, 'seq' | 'text' | 'isNamed'>>(
    limit: number,
    afterSeq: number | undefined,
    readPage: (afterSeq: number | undefined, most: number) => Promise<R[]>,
  ): Promise<(R & { body: string })[]> {
    const entries: (R & { body: string })[] = []
    for (let after = afterSeq; entries.length < limit; ) {
      const page = await readPage(after, limit - entries.length)
      after = page.at(-1)?.seq
      if (after === undefined) break
      const bodies = await read(page.filter(({ isNamed }) => isNamed))
      for (const row of page) {
        const body = row.isNamed ? bodies.get(row.text) : row.text
        // An entry that was deleted after the page was read is omitted.
        if (body !== undefined) entries.push({ ...row, body })
      }
    }
    return entries
  }

  return { toKey, read, listPages }
}

function toPair(name: string, body: string | undefined): [string, string][] {
  return body === undefined ? [] : [[name, body]]
}
