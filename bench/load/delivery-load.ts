/**
 * Lets go what a sink holds back, and waits until every message has arrived, as a process.
 * In: where to ask the sink, on standard input. Out: one Measurement, on standard output; exit 1 when a message is lost,
 * comes twice or out of order.
 */
import { text } from 'node:stream/consumers'

export interface DeliveryWork {
  /** The control address of the sink. */
  sink: string
}

const { work }: { work: DeliveryWork } = JSON.parse(await text(process.stdin))
const answer = await fetch(`${work.sink}/go`, { method: 'POST' })
const told = await answer.text()
if (!answer.ok) {
  process.stderr.write(`bench: ${told}\n`)
  process.exit(1)
}
process.stdout.write(told)
