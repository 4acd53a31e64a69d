import { expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createFairTurns, type FairTurn } from '../../../src/identity/people/fair-turns.ts'

const windowMs = 15 * 60_000

/** Turns of 1 ms each, two at a time, of which 64 may wait. */
function someTurns() {
  const clock = createManualClock()
  const inTurn = createFairTurns({ clock, windowMs, maxRunning: 2, maxWaiting: 64 })
  const begun: string[] = []

  /** The task is named by its address. */
  function take(address: string, turn: Partial<FairTurn> = {}): Promise<'served' | 'refused'> {
    const task = async () => {
      begun.push(address)
      await clock.sleep(1)
    }
    return inTurn({ key: 'all', address, ...turn }, task).then(
      () => 'served',
      () => 'refused',
    )
  }

  return { clock, begun, take }
}

type Turns = ReturnType<typeof someTurns>

/** Takes a turn, again 5 ms after each refusal. */
async function takeAtLast(address: string, { clock, take }: Turns): Promise<void> {
  while ((await take(address)) === 'refused') await clock.sleep(5)
}

/** Addresses that each want a turn again as soon as they have had one. */
function attackFrom(addresses: string[], turns: Turns): void {
  for (const address of addresses) {
    void (async () => {
      for (;;) await takeAtLast(address, turns)
    })()
  }
}

const attackers = Array.from({ length: 200 }, (_, n) => n)

test.each([
  ['networks', (n: number) => `198.${n}.100.1`, 100],
  ['addresses of one IPv4 network', (n: number) => `198.51.100.${n}`, 1],
  ['networks of /48 in one /32', (n: number) => `2001:db8:${n}::1`, 1],
])(
  '200 %s that want turns all the time delay a newcomer by at most one turn of each',
  async (_name, toAddress, delayMs) => {
    const turns = someTurns()
    attackFrom(attackers.map(toAddress), turns)
    await turns.clock.advance(1)
    let isServed = false

    void takeAtLast('203.0.113.1', turns).then(() => {
      isServed = true
    })

    await turns.clock.advance(delayMs + 10)
    expect(isServed).toBe(true)
  },
)

test('when too many wait, the network with most of them loses its newest', async () => {
  const { clock, begun, take } = someTurns()
  const flood = attackers.slice(0, 66).map((n) => take(`198.51.100.${n}`))

  const newcomer = take('203.0.113.1')
  await clock.advance(100)

  expect(await newcomer).toBe('served')
  expect(begun.indexOf('203.0.113.1')).toBe(2)
  expect(await Promise.all(flood)).toEqual([...Array(65).fill('served'), 'refused'])
})

test('an address that has had a turn waits for the others of its network', async () => {
  const { clock, begun, take } = someTurns()
  void take('203.0.113.1')
  await clock.advance(1)
  for (const address of ['198.51.100.1', '192.0.2.1']) void take(address)

  void take('203.0.113.1')
  void take('203.0.113.2')
  await clock.advance(2)

  expect(begun.slice(3)).toEqual(['203.0.113.2', '203.0.113.1'])
})

test('a turn ahead comes before the first turn of an address, and the second one after it', async () => {
  const { clock, begun, take } = someTurns()
  for (const address of ['198.51.100.1', '192.0.2.1']) void take(address)
  void take('233.252.0.1')

  void take('203.0.113.1', { isAhead: true })
  await clock.advance(1)
  for (const address of ['198.51.100.2', '192.0.2.2']) void take(address)
  void take('203.0.113.1', { isAhead: true })
  void take('203.0.113.2', { isAhead: true })
  await clock.advance(2)

  expect(begun.slice(2, 5)).toEqual(['203.0.113.1', '233.252.0.1', '203.0.113.2'])
})

test('turns that are older than the window do not count', async () => {
  const { clock, begun, take } = someTurns()
  void take('203.0.113.1')
  await clock.advance(windowMs)
  for (const address of ['198.51.100.1', '192.0.2.1']) void take(address)

  void take('203.0.113.1')
  void take('233.252.0.1')
  await clock.advance(2)

  expect(begun.slice(3)).toEqual(['203.0.113.1', '233.252.0.1'])
})
