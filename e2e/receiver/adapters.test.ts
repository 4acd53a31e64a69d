/** Each adapter and recipe of the receiver, with the real courier: validation, signatures, reports. */
import type { Delivery, PositionReport } from '@posrep/relay-receiver'
import { expect, onTestFinished, test } from 'vitest'
import { path, working } from '../../packages/relay-receiver/test/adapters/an-adapter.ts'
import { until } from '../../testing/real-time.ts'
import { aListeningRelay } from './a-listening-relay.ts'
import { aService } from './a-service.ts'

test('every adapter becomes Active and gets the signed reports of its devices, once each', async () => {
  const service = await aService()
  for (const [name, adapter] of Object.entries(working)) {
    const received: { report: PositionReport; delivery: Delivery }[] = []
    const onReport = (report: PositionReport, delivery: Delivery) => void received.push({ report, delivery })
    const listener = await adapter({ from: service.issuer, clientParts: ['acme'], onReport })
    const relay = await aListeningRelay(service.certificate, listener)
    onTestFinished(relay.cut)

    expect(await service.setRelay(`${relay.origin}${path}`), name).toEqual(['Active', 'Active', 'Active'])
    const sent = await service.submit(2)
    await until(`${name} has all reports`, () => received.length >= 6)

    for (const [device, ids] of sent) {
      const own = received.filter(({ delivery }) => delivery.device === device)
      expect(
        own.map(({ report }) => report.positions[0]?.id),
        name,
      ).toEqual(ids)
      expect(
        own.every(({ delivery }) => delivery.verified),
        name,
      ).toBe(true)
    }
  }
})
