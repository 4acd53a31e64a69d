import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relayReceiver } from '@posrep/relay-receiver'
import { createTestSender, toRequest } from '@posrep/relay-receiver/testing'

test('a report is stored once, and a forged one is refused', async () => {
  const stored: string[] = []
  const sender = await createTestSender({ device: 'urn:aa:device:acme:roof1' })
  const { fetch } = relayReceiver({
    from: sender.keys,
    devices: [sender.device],
    onReport: (report) => void stored.push(...report.positions.map(({ id }) => id)),
  })
  const message = await sender.report()

  assert.equal((await fetch(toRequest(message))).status, 204)
  assert.equal((await fetch(toRequest(await sender.repeat(message)))).status, 204)
  assert.equal((await fetch(toRequest(await sender.forged(message)))).status, 401)
  assert.equal(stored.length, 1)
})
