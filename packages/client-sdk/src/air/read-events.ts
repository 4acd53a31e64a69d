/**
 * Reads server-sent events (WHATWG HTML, section 9.2).
 * In: the body of an answer. Out: its events, until it ends. A body that breaks off, or is silent for too long, has
 * ended.
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { Clock } from '../ports.ts'

export interface ReadEventsOptions {
  clock: Clock
  /** Longest time without a byte while somebody waits for the next event. */
  silentMs: number
  /** Called with the time that the service asks clients to wait before they connect again. */
  onRetry(ms: number): void
}

export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { clock, silentMs, onRetry }: ReadEventsOptions,
): AsyncGenerator<EventSourceMessage, void, void> {
  const events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => void events.push(event), onRetry })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const stopTimer = clock.startTimer(silentMs, () => void reader.cancel().catch(() => {}))
      // A connection that breaks is an end like any other: the caller connects again.
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      stopTimer()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
