/**
 * A process that releases the sink's answers and waits until every message has arrived.
 * In: the sink's control address, on standard input. Out: a Measurement on standard output; exit 1 when a message is
 * lost, repeated or out of order.
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
