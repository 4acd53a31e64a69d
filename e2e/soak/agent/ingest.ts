/**
 * An ingest that the soak of the agent controls: it can be away, and it sometimes closes the connection after a report
 * was received.
 * In: reports over HTTP. Out: for each run of the agent, the numbers of the positions in the order of their arrival.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { Random } from '../random.ts'
import { aLaneCheck } from './lane-check.ts'

export interface Ingest {
  port: number
  /** Numbers that arrived, in any run. */
  received: Set<number>
  /** Begins a run: the order of arrival is checked within each. */
  beginRun(): void
  setAway(away: boolean): void
  /** Positions that arrived out of order in a run: they continue neither the live stream nor the backlog. */
  violations: string[]
  counts: { reports: number; repeated: number }
  close(): void
}

export async function anIngest(random: Random): Promise<Ingest> {
  const received = new Set<number>()
  const violations: string[] = []
  const counts = { reports: 0, repeated: 0 }
  let isAway = false
  let run = { lanes: aLaneCheck(), seen: new Set<number>() }

  const server = createServer(async (request, response) => {
    if (isAway) return response.writeHead(503).end()
    const numbers = await readNumbers(request)
    counts.reports += 1
    for (const number of numbers) check(number)
    if (random.chance(0.02)) return response.destroy()
    return response.writeHead(202).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    // A listening server has an address with a port.
    port: (server.address() as AddressInfo).port,
    received,
    violations,
    counts,
    beginRun() {
      run = { lanes: aLaneCheck(), seen: new Set() }
    },
    setAway(away) {
      isAway = away
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }

  /** A repetition within a run has the same order again; only first arrivals are compared. */
  function check(number: number): void {
    if (received.has(number)) counts.repeated += 1
    received.add(number)
    if (run.seen.has(number)) return
    run.seen.add(number)
    if (!run.lanes.takes(number)) violations.push(`${number} arrived out of order`)
  }
}

async function readNumbers(request: IncomingMessage): Promise<number[]> {
  const bytes = await buffer(request)
  const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes).toString() : bytes.toString()
  // The agent has built the report.
  return (JSON.parse(text) as { positions: { id: string }[] }).positions.map(({ id }) => Number(id))
}
