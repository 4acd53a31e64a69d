import { expect, test } from 'vitest'
import { createMemoryDirectory } from '../../src/adapters/memory/directory.ts'
import { createMemoryStore } from '../../src/adapters/memory/store.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../src/devices/registry.ts'
import { createConsumePairingToken } from '../../src/pairing/consume-pairing-token.ts'
import { createPairingRequests } from '../../src/pairing/pairing-request.ts'
import type { Store } from '../../src/ports/storage/store.ts'

function aService() {
  const clock = createManualClock()
  let writes = 0
  const memory = createMemoryStore({ clock })
  const count = <T>(written: Promise<T>): Promise<T> => {
    writes++
    return written
  }
  const store: Store = {
    get: memory.get,
    put: (...args) => count(memory.put(...args)),
    take: (...args) => count(memory.take(...args)),
    replace: (...args) => count(memory.replace(...args)),
    delete: (...args) => count(memory.delete(...args)),
  }
  const devices = createDeviceRegistry({ directory: createMemoryDirectory(), clock })
  const consumePairingToken = createConsumePairingToken({
    pairingRequests: createPairingRequests({ store, devices, clock }),
    devices,
    issueDeviceTokens: () => Promise.reject(new Error('Nobody is to get tokens')),
    revokeTokens: () => Promise.reject(new Error('Nobody has tokens')),
    sensorIdPolicy: 'strict',
    clock,
  })
  return {
    clock,
    written: () => writes,
    async consume(clientUniqueId: string, address = '198.51.100.7'): Promise<string> {
      return consumePairingToken(clientUniqueId, { address, userAgent: null }).then(
        () => 'tokens',
        ({ code, headers }) => (code === 'too_many_requests' ? `429 in ${headers['Retry-After']} s` : code),
      )
    },
  }
}

const notFound = 'pairing_not_found'

test('a device that asks once a second for a minute does not exceed a limit', async () => {
  const { consume, clock } = aService()
  for (let second = 0; second < 60; second++) {
    expect(await consume('roof1')).toBe(notFound)
    await clock.advance(1_000)
  }
})

test('more than 5 requests a second for one ID are 429, and other IDs and addresses pass', async () => {
  const { consume, clock } = aService()
  const answers = await Promise.all(Array.from({ length: 8 }, () => consume('roof1')))

  expect(answers.filter((answer) => answer === notFound)).toHaveLength(5)
  expect(await consume('roof1')).toBe('429 in 1 s')
  expect(await consume('roof2')).toBe(notFound)
  expect(await consume('roof1', '203.0.113.1')).toBe(notFound)
  await clock.advance(1_000)
  expect(await consume('roof1')).toBe(notFound)
})

test('more than 1,000 requests a second from one address are 429', async () => {
  const { consume } = aService()
  const answers = await Promise.all(Array.from({ length: 1_010 }, (_, id) => consume(`id${id}`)))

  expect(answers.filter((answer) => answer === notFound)).toHaveLength(1_000)
  expect(answers.filter((answer) => answer === '429 in 1 s')).toHaveLength(10)
})

test('10,000 requests for IDs without a pairing request write nothing', async () => {
  const { consume, written } = aService()
  const answers = await Promise.all(
    Array.from({ length: 10_000 }, (_, n) => consume(`id${n}`, `198.51.${n % 100}.${n % 250}`)),
  )

  expect(new Set(answers)).toEqual(new Set([notFound]))
  expect(written()).toBe(0)
})
