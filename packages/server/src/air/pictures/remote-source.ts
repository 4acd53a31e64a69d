/**
 * The pictures that other processes hold, over announcements.
 * In: the accounts that this process follows. Out: their frames. It says every 20 s which frames it needs, so that no
 * others are sent. `serve-pictures.ts` is the other side.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { Announcements } from '../../ports/storage/announcements.ts'
import type { AirMessage, AirSource } from './air-source.ts'
import { type Sent, toFramesChannel, type Want, wantsChannel } from './remote-messages.ts'

export interface RemoteSourceOptions {
  announcements: Announcements
  clock: Clock
  /** The id of this process. */
  self: string
}

const repeatMs = 20_000
/** If no process answers within this time, none holds the picture. */
const answerMs = 500

export function createRemoteSource({ announcements, clock, self }: RemoteSourceOptions): AirSource {
  const answers = new Map<string, (sent: Sent) => void>()
  const followed = new Map<string, { listeners: Set<(message: AirMessage) => void>; stop(): void }>()

  function say(want: Omit<Want, 'from'>): void {
    void announcements.announce(wantsChannel, JSON.stringify({ from: self, ...want } satisfies Want))
  }

  function listenTo(accountId: string): (message: AirMessage) => void {
    return (message) => {
      for (const listener of followed.get(accountId)?.listeners ?? []) listener(message)
    }
  }

  function start(accountId: string) {
    const ended = new AbortController()
    const tell = listenTo(accountId)
    const leave = announcements.listen(toFramesChannel(accountId), (text) => {
      const sent = JSON.parse(text) as Sent
      if (sent.kind === 'frame') tell(sent.message)
      else answers.get(sent.answerId)?.(sent)
    })
    void (async () => {
      while (!ended.signal.aborted) {
        say({ accountId })
        await clock.sleep(repeatMs, ended.signal)
      }
    })()
    const stop = () => {
      ended.abort()
      leave()
    }
    return { listeners: new Set<(message: AirMessage) => void>(), stop }
  }

  /** Waits for the answer of the process that holds the picture. */
  async function ask(want: Omit<Want, 'from' | 'answerId'>): Promise<Sent | undefined> {
    const answerId = randomUUID()
    const answered = new AbortController()
    let answer: Sent | undefined
    answers.set(answerId, (sent) => {
      answer = sent
      answered.abort()
    })
    // Twice, because the subscription may have begun after the first answer.
    for (let times = 0; times < 2 && !answered.signal.aborted; times++) {
      say({ ...want, answerId })
      await clock.sleep(answerMs / 2, answered.signal)
    }
    answers.delete(answerId)
    return answer
  }

  return {
    follow(accountId, listener) {
      const account = followed.get(accountId) ?? start(accountId)
      followed.set(accountId, account)
      account.listeners.add(listener)
      return () => {
        account.listeners.delete(listener)
        if (account.listeners.size > 0 || followed.get(accountId) !== account) return
        followed.delete(accountId)
        account.stop()
      }
    },
    async whole(accountId) {
      const answer = await ask({ accountId })
      return answer?.kind === 'whole' ? answer.message : undefined
    },
    async detail(accountId, trackId) {
      const answer = await ask({ accountId, trackId })
      return answer?.kind === 'detail' ? { detail: answer.detail } : undefined
    },
    async history(accountId, history) {
      const answer = await ask({ accountId, history })
      return answer?.kind === 'history' ? answer.history : undefined
    },
  }
}
