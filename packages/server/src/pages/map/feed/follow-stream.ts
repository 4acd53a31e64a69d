/**
 * Follows the air picture through the worker of `feed-worker.ts`.
 * In: the addresses of the worker's script and of the stream. Out: packed frames, until the session has ended.
 */
import type { FollowOptions, PackedFrame } from '@posrep/air/map'
import type { FeedMessage } from './feed-message.ts'

export async function* followStream(
  script: string,
  stream: string,
  { signal, onInterrupted }: FollowOptions,
): AsyncGenerator<PackedFrame, void, void> {
  const messages: FeedMessage[] = []
  let wake = () => {}
  const worker = new Worker(script, { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<FeedMessage>) => {
    messages.push(data)
    wake()
  })
  signal.addEventListener('abort', () => wake())
  worker.postMessage(stream)
  try {
    while (!signal.aborted) {
      const message = messages.shift()
      if (message?.kind === 'gone') return
      if (message?.kind === 'lost') onInterrupted()
      else if (message) yield message.frame
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    worker.terminate()
  }
}
