/**
 * Reads SBS (BaseStation) lines from a receiver's TCP port, usually 30003, and connects again when the connection is lost.
 * In: host and port. Out: positions.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { checkNumber, checkText, checkWholeNumber } from '../../check-option.ts'
import { keepTrying } from '../keep-trying.ts'
import { readLines } from '../lines/read-lines.ts'
import { createRepetitions, type Repetitions } from '../repetitions.ts'
import { defineSource, type Sink, type Source } from '../source.ts'
import { createSbsMapper, type SbsMapper, type SbsMapperOptions } from './sbs.ts'

export interface SbsSourceOptions extends SbsMapperOptions {
  host: string
  /** 1-65535. Default 30003. */
  port?: number
  /** A connection without a line for this time is closed and opened again, in ms. Default 300_000. */
  silenceMs?: number
}

export function sbsSource({ host, port = 30_003, silenceMs = 300_000, ...options }: SbsSourceOptions): Source {
  checkText('host', host)
  checkWholeNumber('port', port, 1, 65_535)
  checkNumber('silenceMs', silenceMs, 1_000)

  return defineSource(`SBS ${host}:${port}`, (sink) => {
    // One mapper for all connections: the values of an aircraft survive a short interruption.
    const mapper = createSbsMapper(options)
    const isRepeated = createRepetitions()
    return keepTrying(sink, async (succeeded) => {
      const socket = await open(host, port, silenceMs, sink.signal)
      sink.state('connected')
      try {
        for await (const line of readLines(socket, { isCut: true })) {
          succeeded()
          await reportLine(line, mapper, isRepeated, sink)
        }
      } finally {
        socket.destroy()
      }
    })
  })
}

async function reportLine(line: string, mapper: SbsMapper, isRepeated: Repetitions, sink: Sink): Promise<void> {
  const { unparsable } = mapper.counters()
  const position = mapper.map(line)
  if (position) {
    if (!isRepeated(position.id)) await sink.report(position)
  } else if (mapper.counters().unparsable > unparsable) {
    sink.unusable(`not an SBS line: ${line.slice(0, 80)}`)
  }
}

async function open(host: string, port: number, silenceMs: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, keepAlive: true, keepAliveInitialDelay: 30_000, signal })
  socket.setTimeout(silenceMs, () => socket.destroy(new Error(`no line for ${silenceMs / 1_000} s`)))
  await once(socket, 'connect', { signal })
  return socket
}
