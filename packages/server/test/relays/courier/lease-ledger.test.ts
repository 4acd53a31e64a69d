import { expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import type { RecentDelivery } from '../../../src/ports/storage/recent-deliveries.ts'
import { createLeaseLedger, type LeaseLedger } from '../../../src/relays/courier/lease-ledger.ts'

const nothing = () => {}

function aLedger(messages: number) {
  const recorded: RecentDelivery[] = []
  const entries = Array.from({ length: messages }, (_, seq) => ({ seq, appendedAtMs: 0, body: `msg_${seq} 1\n{}` }))
  const ledger = createLeaseLedger(
    { queue: 'a', fence: 1, entries, size: 0 },
    {
      queueFailures: { known: nothing as () => undefined },
      recorder: { record: (delivery) => void recorded.push(delivery) },
      clock: createManualClock(),
      meter: { buried: nothing, delivered: nothing } as never,
      logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    },
  )
  return { ledger, recorded }
}

const taken = {
  outcome: { kind: 'accepted' as const },
  attempt: { startedAtMs: 0, durationMs: 1, url: '', status: 200, outcome: 'accepted' as const, reason: null },
}

function end(ledger: LeaseLedger, outcome: 'accepted' | 'buried'): void {
  const first = ledger.first()
  if (!first) throw new Error('No entry is left')
  if (outcome === 'accepted') ledger.finish(first, taken)
  else ledger.bury(first, 'refused')
}

test('the ledger returns the entries in order, and for each the entry after it', () => {
  const { ledger } = aLedger(3)
  const seen = []
  for (let first = ledger.first(); first; first = ledger.first()) {
    seen.push([first.seq, ledger.next()?.seq])
    end(ledger, 'accepted')
  }
  expect(seen).toEqual([
    [0, 1],
    [1, 2],
    [2, undefined],
  ])
})

test('accepted and buried entries are settled, and recorded in their order', () => {
  const { ledger, recorded } = aLedger(4)
  end(ledger, 'accepted')
  end(ledger, 'buried')
  end(ledger, 'accepted')

  expect(ledger.first()?.seq).toBe(3)
  expect(recorded).toEqual([])
  expect(ledger.settle()).toEqual({ accepted: [0, 2], buried: [{ seq: 1, reason: 'refused' }] })
  expect(recorded.map(({ messageId, state }) => [messageId, state])).toEqual([
    ['msg_0', 'delivered'],
    ['msg_1', 'buried'],
    ['msg_2', 'delivered'],
  ])
})
