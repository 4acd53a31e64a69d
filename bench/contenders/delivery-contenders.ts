/**
 * Senders to relays: our server, which owes the messages when it starts, and a loop that signs and posts the same ones.
 * In: how many relays and messages. Out: contenders whose first messages are on their way when a measurement begins.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../testing/free-port.ts'
import type { DeliveryWork } from '../load/delivery-load.ts'
import type { Contender } from './contender.ts'
import { oweDeliveries } from './owe-deliveries.ts'
import { serverProgram, toMetric } from './posrep.ts'
import { type ContenderProcess, type StartOptions, startProcess } from './start-process.ts'
import { type RelayMessages, startRelaySink } from './start-relay-sink.ts'

/** The server's limit of attempts in flight to one host; the loop has the same. */
const perHost = 128
const settleLimitMs = 30_000

interface Poster extends ContenderProcess {
  settle?(): Promise<void>
}

export function startPosrepDeliveries(work: RelayMessages, options: StartOptions): Promise<Contender<DeliveryWork>> {
  return startContender(work, work.messages, async ({ folder, caFile }, round) => {
    // What is delivered is gone from the log: each time begins with a copy.
    const copy = join(folder, `round-${round}`)
    await cp(join(folder, 'owed'), copy, { recursive: true })
    const flags = ['--host', '127.0.0.1', '--port', '0', '--insecure-http', '--data-dir', copy]
    const args = [...flags, '--allow-private-relays', '--log-format', 'json', '--log-level', 'error']
    const server = await startProcess(serverProgram, args, { ...options, caFile })
    const metrics = `http://127.0.0.1:${new URL(String(server.ready.origin)).port}/metrics`
    return {
      ...server,
      async settle() {
        const endAt = performance.now() + settleLimitMs
        while (toMetric(await (await fetch(metrics)).text(), 'posrep_log_waiting{log="delivery"}') > 0) {
          if (performance.now() > endAt)
            throw new Error(`Deliveries still wait ${settleLimitMs / 1_000} s after they arrived`)
          await setTimeout(20)
        }
      },
    }
  })
}

export function startPostLoop(work: RelayMessages): Promise<Contender<DeliveryWork>> {
  const program = fileURLToPath(new URL('post-loop.ts', import.meta.url))
  // The same certificate, and nothing owed.
  return startContender(work, 0, ({ port, caFile }) => {
    const flags = { port, relays: work.relays, messages: work.messages, connections: Math.min(work.relays, perHost) }
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)])
    return startProcess(program, args, { caFile })
  })
}

interface SinkAddress {
  folder: string
  port: number
  caFile: string
}

async function startContender(
  { relays, messages }: RelayMessages,
  owed: number,
  startPoster: (sink: SinkAddress, round: number) => Promise<Poster>,
): Promise<Contender<DeliveryWork>> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-bench-deliveries-'))
  const data = join(folder, 'owed')
  const port = await findFreePort()
  const { caFile } = await oweDeliveries({ folder: data, port, relays, messages: owed })
  const certFile = join(data, 'development-tls.pem')
  const keyFile = join(data, 'development-tls-key.pem')
  const sink = await startRelaySink({ port, certFile, keyFile, relays, messages })
  let poster: Poster | undefined
  let round = 0
  return {
    get pids(): Record<string, number> {
      return poster ? { poster: poster.pid } : {}
    },
    async prepare() {
      await poster?.stop()
      await sink.hold()
      poster = await startPoster({ folder, port, caFile }, round++)
      await sink.holds(Math.min(relays, perHost))
      return { sink: sink.control }
    },
    settle: async () => poster?.settle?.(),
    async stop() {
      await poster?.stop()
      await sink.stop()
      await rm(folder, { recursive: true })
    },
  }
}
