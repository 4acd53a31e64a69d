/**
 * Reads Remote ID messages as JSON from a stream, for example the output of a receiver on standard input.
 * In: one JSON message per line, or on several. Out: positions.
 */
import type { Readable } from 'node:stream'
import { eachLine, type LinesOptions } from '../lines/each-line.ts'
import { createJsonAssembler } from '../lines/json-assembler.ts'
import { defineSource, type Source } from '../source.ts'
import { createRemoteIdMapper, type RemoteIdMapperOptions } from './remote-id.ts'

export function remoteIdSource(input: Readable, options: RemoteIdMapperOptions & LinesOptions = {}): Source {
  return defineSource('Remote ID', async (sink) => {
    let at = ''
    const mapper = createRemoteIdMapper({
      ...options,
      receivedAtMs: () => sink.toStampMs(sink.clock.now()),
      onUnusable: (reason, message) => sink.unusable(`${at}: ${message}`, reason),
      onPartial: sink.partial,
    })
    const assembler = createJsonAssembler((message) => sink.unusable(message, 'unreadable'))
    await eachLine(input, sink, options, async (line, where) => {
      at = where
      for (const value of assembler.add(line, where)) {
        await sink.report(mapper.map(value), where)
      }
    })
    assembler.end()
  })
}
