/**
 * Reads SBS (BaseStation) lines from a receiver's TCP port, usually 30003, and connects again when the connection is
 * lost.
 * In: host and port. Out: positions.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { checkNumber, checkText, checkWholeNumber } from '../../check-option.ts'
import { keepTrying } from '../keep-trying.ts'
import { readLines } from '../lines/read-lines.ts'
import { quote } from '../reasons.ts'
import { defineSource, type Source } from '../source.ts'
import { createSbsMapper, type SbsMapperOptions } from './sbs.ts'

export interface SbsSourceOptions extends SbsMapperOptions {
  host: string
  /** 1-65535. Default 30003. */
  port?: number
  /** A connection without a line for this time is closed and opened again, in ms. Default 300_000. */
  silenceMs?: number
}

/**
 * @example
 * ```ts
 * import type { Agent } from '@posrep/sensor-agent'
 * import { runSource, sbsSource } from '@posrep/sensor-agent/sources'
 *
 * export const run = (agent: Agent) => runSource(sbsSource({ host: '192.168.1.20' }), agent)
 * ```
 */
export function sbsSource({ host, port = 30_003, silenceMs = 300_000, ...options }: SbsSourceOptions): Source {
  checkText('host', host)
  checkWholeNumber('port', port, 1, 65_535)
  checkNumber('silenceMs', silenceMs, 1_000)

  return defineSource(`SBS ${host}:${port}`, (sink) => {
    // One mapper for all connections: the values of an aircraft survive a short interruption.
    const mapper = createSbsMapper({
      ...options,
      receivedAtMs: () => sink.toStampMs(sink.clock.now()),
      onUnusable: (reason, message) => sink.unusable(message, reason),
      onPartial: sink.partial,
    })
    return keepTrying(sink, async (succeeded) => {
      const socket = await open(host, port, silenceMs, sink.signal)
      sink.state('connected')
      try {
        for await (const line of readLines(socket, {
          onCut: (rest) => sink.unusable(`the connection was closed within a line: ${quote(rest)}`),
        })) {
          succeeded()
          const position = mapper.map(line)
          if (position) await sink.report(position)
        }
      } finally {
        socket.destroy()
      }
    })
  })
}

async function open(host: string, port: number, silenceMs: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, keepAlive: true, keepAliveInitialDelay: 30_000, signal })
  socket.setTimeout(silenceMs, () => socket.destroy(new Error(`no line for ${silenceMs / 1_000} s`)))
  await once(socket, 'connect', { signal })
  return socket
}
