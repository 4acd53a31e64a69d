import { expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import type { DeviceRecord } from '../../../src/ports/storage/directory.ts'
import { createRelayLimits } from '../../../src/relays/update/relay-limits.ts'
import { createSetRelay } from '../../../src/relays/update/set-relay.ts'
import { aDevice } from '../../pipeline/a-pipeline-report.ts'

const url = 'https://relay.example.net/'

/**
 * Updates the relay of a device, and records the steps. `ending` is what the end of the attempts in flight waits for.
 */
function anUpdate({ ending = Promise.resolve() }: { ending?: Promise<void> } = {}) {
  const steps: string[] = []
  const clock = createManualClock()
  let device: DeviceRecord = aDevice
  const setRelay = createSetRelay({
    devices: {
      async change(_urn, change) {
        device = change(device)
        steps.push('stored')
        return device
      },
    },
    deliveryLog: { wake: async (queue) => void steps.push(`woken ${queue}`) },
    policy: { allowPrivate: false, ports: [], ownHosts: [] },
    async send(_url, { message }) {
      steps.push('validated')
      return { status: 200, body: Buffer.from(JSON.parse(message).validationCode), retryAfter: undefined }
    },
    limits: createRelayLimits({ clock }),
    clock,
    async endAttempts(queue) {
      await ending
      steps.push(`ended ${queue}`)
    },
  })
  return { steps, update: (state: 1 | 2 | 3) => setRelay(aDevice, { url, state }) }
}

test('what is on its way to the earlier address ends after the new one is stored, and before the queue is woken', async () => {
  const { steps, update } = anUpdate()
  await update(1)
  expect(steps).toEqual(['validated', 'stored', `ended ${aDevice.id}`, `woken ${aDevice.id}`])
})

test.each([2, 3] as const)('the state %i also ends what is on its way, and wakes nothing', async (state) => {
  const { steps, update } = anUpdate()
  await update(state)
  expect(steps).toEqual(['stored', `ended ${aDevice.id}`])
})

test('of two updates in the same millisecond the later one is in force', async () => {
  const { update } = anUpdate()
  await update(2)
  expect((await update(3)).relay?.state).toBe('Failed')
})

test('an update is answered when what was on its way has ended', async () => {
  const { promise: ending, resolve: end } = Promise.withResolvers<void>()
  const { steps, update } = anUpdate({ ending })
  const answered = update(2).then(() => steps.push('answered'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(steps).toEqual(['stored'])

  end()
  await answered

  expect(steps).toEqual(['stored', `ended ${aDevice.id}`, 'answered'])
})
