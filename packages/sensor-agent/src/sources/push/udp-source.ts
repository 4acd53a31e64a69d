/**
 * Takes positions from UDP datagrams, for firmware on this machine or in its network.
 * In: datagrams of UTF-8: one JSON position, a JSON array of them, or one per line. Out: positions. There is no answer:
 * a datagram that is lost or wrong is only counted. Anyone who reaches the port can report, so the default is this
 * machine only.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { checkText, checkWholeNumber } from '../../check-option.ts'
import { defineSource, type Sink, type Source } from '../source.ts'
import { splitPositions } from './split-positions.ts'

export interface UdpSourceOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string
  /** 0-65535; 0 takes a free port, which the state tells. */
  port: number
}

/** Datagrams that wait for the spool; more are dropped and counted. */
const maxWaiting = 1_000

export function udpSource({ host = '127.0.0.1', port }: UdpSourceOptions): Source {
  checkText('host', host)
  checkWholeNumber('port', port, 0, 65_535)

  return defineSource(`UDP ${host}:${port}`, async (sink) => {
    const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', signal: sink.signal })
    let waiting = 0
    let stored = Promise.resolve()
    const failed = new Promise<never>((_, reject) => {
      socket.on('message', (datagram) => {
        if (waiting >= maxWaiting)
          return sink.unusable('datagrams arrive faster than they can be stored; one was dropped', 'too_many')
        waiting += 1
        // One after the other, so that the order is kept.
        stored = stored.then(() => report(datagram.toString('utf8'), sink)).finally(() => (waiting -= 1))
        stored.catch(reject)
      })
      socket.once('error', reject)
    })
    socket.bind(port, host)
    await Promise.race([once(socket, 'listening'), failed])
    sink.state(`listening on ${host}:${socket.address().port}`)
    await Promise.race([once(socket, 'close'), failed]).finally(() => socket.removeAllListeners('message'))
    await stored
  })
}

async function report(text: string, sink: Sink): Promise<void> {
  const positions = splitPositions(text)
  if (positions instanceof Error) return sink.unusable(`datagram: ${positions.message}`)
  // Nobody is told which one is wrong, so each stands alone.
  for (const position of positions) await sink.reportJson(position, 'datagram')
}
