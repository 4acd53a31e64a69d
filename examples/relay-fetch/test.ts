/**
 * A report from a sensor through a real service to a client of the relay's event stream; and one that somebody else
 * sent.
 */
import assert from 'node:assert/strict'
import { startJourney } from './journey.ts'

const journey = await startJourney('relay.ts')
try {
  const stream = await fetch(`${journey.origin}/live`)
  assert.equal(stream.headers.get('content-type'), 'text/event-stream')

  // Anyone may find the address, but only the service can sign.
  assert.equal(await journey.trigger('position_report'), 1)
  const position = await journey.reportOnePosition()

  const event = await readEvent(stream)
  assert.equal(event.device, journey.device)
  assert.deepEqual(event.report.positions, [position])
  await stream.body?.cancel().catch(() => {}) // The reader has it.
} finally {
  await journey.stop()
}
console.log('ok')

/** Returns the data of the first event. */
async function readEvent({ body }: Response): Promise<{ device: string; report: { positions: object[] } }> {
  assert.ok(body)
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const data = /^data: (.*)\n\n/m.exec(text)?.[1]
    if (data !== undefined) return JSON.parse(data)
  }
  throw new Error(`The stream ended without an event: ${text}`)
}
