/**
 * Reads positions as NDJSON, usually from standard input.
 * In: one JSON position per line. Out: the same text, reported unchanged. A line that is not a position is told with
 * its number.
 */
import type { Readable } from 'node:stream'
import { defineSource, type Source } from '../source.ts'
import { eachLine, type LinesOptions } from './each-line.ts'

export function jsonLinesSource(input: Readable, options: LinesOptions = {}): Source {
  return defineSource('NDJSON', (sink) => eachLine(input, sink, options, (line, where) => sink.reportJson(line, where)))
}
