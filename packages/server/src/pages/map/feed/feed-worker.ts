/**
 * A worker that follows the air picture, so that reading thousands of tracks does not delay a frame of the page.
 * In: one message with the address of the stream. Out: FeedMessages. The browser connects again by itself after a lost
 * connection; when the server refuses, this connects again.
 */
import { createFramePacker } from '@posrep/air/map'
import type { AirFrame } from '@posrep/spec'
import type { FeedMessage } from './feed-message.ts'
import { parseVisible } from './visible-json.ts'

const refusedPauseMs = 5_000
const pack = createFramePacker()

self.addEventListener('message', ({ data }: MessageEvent<string>) => follow(data), { once: true })

function follow(address: string): void {
  const source = new EventSource(address)
  source.addEventListener('frame', ({ data }: MessageEvent<string>) => {
    const frame = pack(parseVisible<AirFrame>(data))
    send({ kind: 'frame', frame }, [frame.rows.buffer])
  })
  source.addEventListener('error', () => {
    send({ kind: 'lost' })
    if (source.readyState === EventSource.CLOSED) void retry(address)
  })
}

async function retry(address: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, refusedPauseMs))
  // The answer says why it was refused: without a session the page has to be loaded again.
  const answer = await fetch(address, { method: 'HEAD' }).catch(() => undefined)
  if (answer?.status === 403) send({ kind: 'gone' })
  else follow(address)
}

function send(message: FeedMessage, moved: Transferable[] = []): void {
  postMessage(message, { transfer: moved })
}
