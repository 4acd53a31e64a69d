/**
 * A process that lets a client program make its calls, which are the load.
 * In: an order on standard input. Out: a Measurement on standard output; exit 1 when a call fails.
 */
import { text } from 'node:stream/consumers'
import type { ClientOrder } from '../contenders/client-program.ts'

export interface ClientWork {
  /** Where the client program takes orders. */
  control: string
}

const { work, seconds, connections }: { work: ClientWork } & ClientOrder = JSON.parse(await text(process.stdin))
const answer = await fetch(work.control, { method: 'POST', body: JSON.stringify({ seconds, connections }) })
process.stdout.write(await answer.text())
