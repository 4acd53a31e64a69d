/** The short version of `pnpm soak --hostile`: answers and memory, not times, which depend on the machine. */
import { expect, test } from 'vitest'
import { testWith } from '../../parts/requirements.ts'
import { mostMemoryBytes } from '../resident-memory.ts'
import { type HostileOptions, soakHostile } from './hostile.ts'

async function check(options: HostileOptions): Promise<void> {
  const { statuses, undelivered, memoryBytes, ended, attacker } = await soakHostile(options)
  expect([ended, Object.keys(statuses).sort(), undelivered]).toEqual([
    undefined,
    ['read 200', 'report 202', 'token 200'],
    0,
  ])
  expect(memoryBytes).toBeLessThan(mostMemoryBytes)
  const accepted = Object.keys(attacker).filter((kind) => / 20\d$/.test(kind))
  expect(accepted, 'what the server accepted of the attack').not.toEqual([])
}

test("large reports that are stored and listed leave another account's reports and the memory alone", async () => {
  await check({ attack: 'stored-reports', seconds: 5 })
})

testWith('redis-server', 'a flood of sign-ins')(
  "a flood of sign-ins and of tokens does not fill the Redis that another account's reports need",
  async () => {
    await check({ attack: 'sign-in', seconds: 6, redisMegabytes: 8 })
  },
)

test("300 slow relays leave another account's reports, deliveries and the memory alone", async () => {
  await check({ attack: 'slow-relays', seconds: 4 })
})

test("ever new targets in the air picture leave another account's reports, deliveries and the memory alone", async () => {
  await check({ attack: 'new-targets', seconds: 4 })
})

test("answers that nobody reads leave another account's reports and the memory alone", async () => {
  await check({ attack: 'unread-answers', seconds: 5 })
})

test("bodies in very many pieces or that are not valid leave another account's reports and the memory alone", async () => {
  await check({ attack: 'slow-writers', seconds: 5 })
})

test("whatever an account can store leaves another account's reports and the memory alone", async () => {
  await check({ attack: 'stored-forms', seconds: 5 })
})

test("calls that cost as much as they can leave another account's reports and the memory alone", async () => {
  await check({ attack: 'costly-calls', seconds: 4 })
})
