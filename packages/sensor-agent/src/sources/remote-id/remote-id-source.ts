/**
 * Reads Remote ID messages as NDJSON from a stream, for example the output of a receiver on standard input.
 * In: one JSON message per line. Out: positions.
 */
import type { Readable } from 'node:stream'
import { parseLine } from '../fields.ts'
import { eachLine, type LinesOptions } from '../lines/each-line.ts'
import { defineSource, type Source } from '../source.ts'
import { createRemoteIdMapper, type RemoteIdMapperOptions } from './remote-id.ts'

export function remoteIdSource(input: Readable, options: RemoteIdMapperOptions & LinesOptions = {}): Source {
  return defineSource('Remote ID', (sink) => {
    const mapper = createRemoteIdMapper(options)
    return eachLine(input, sink, options, async (line, where) => {
      const { unparsable } = mapper.counters()
      await sink.report(mapper.map(parseLine(line)), where)
      if (mapper.counters().unparsable > unparsable) sink.unusable(`${where}: not a Remote ID message with a position`)
    })
  })
}
