/**
 * Sends the pictures that this process holds to the processes that follow them.
 * In: what other processes want. Out: frames, while they want them; whole pictures and tracks as answers.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Announcements } from '../../ports/storage/announcements.ts'
import type { AirSource } from './air-source.ts'
import { type Sent, toFramesChannel, type Want, wantsChannel } from './remote-messages.ts'

export interface ServePicturesOptions {
  own: AirSource
  announcements: Announcements
  clock: Clock
  /** The id of this process. */
  self: string
}

/** A process that has said nothing for this time does not need the frames any more. */
const wantedMs = 60_000

/** Returns a function that ends this. */
export function servePictures({ own, announcements, clock, self }: ServePicturesOptions): () => void {
  const wanted = new Map<string, { untilMs: number; stop(): void }>()

  function send(accountId: string, sent: Sent): void {
    void announcements.announce(toFramesChannel(accountId), JSON.stringify(sent))
  }

  function keepSending(accountId: string): void {
    for (const [other, { untilMs, stop }] of wanted) {
      if (untilMs > clock.now()) continue
      wanted.delete(other)
      stop()
    }
    const known = wanted.get(accountId)
    const stop = known?.stop ?? own.follow(accountId, (message) => send(accountId, { kind: 'frame', message }))
    wanted.set(accountId, { untilMs: clock.now() + wantedMs, stop })
  }

  async function answer({ accountId, answerId, trackId, history: query }: Want): Promise<void> {
    if (answerId === undefined) return
    if (trackId !== undefined) {
      const found = await own.detail(accountId, trackId)
      if (found) send(accountId, { kind: 'detail', answerId, ...(found.detail && { detail: found.detail }) })
      return
    }
    if (query !== undefined) {
      const history = await own.history(accountId, query)
      if (history) send(accountId, { kind: 'history', answerId, history })
      return
    }
    const message = await own.whole(accountId)
    if (message) send(accountId, { kind: 'whole', answerId, message })
  }

  const leave = announcements.listen(wantsChannel, (text) => {
    const want = JSON.parse(text) as Want
    if (want.from === self) return
    keepSending(want.accountId)
    // If it fails, the other process asks again.
    void answer(want).catch(() => {})
  })
  return () => {
    leave()
    for (const { stop } of wanted.values()) stop()
  }
}
