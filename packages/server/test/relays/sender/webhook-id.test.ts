import { expect, test } from 'vitest'
import { toWebhookId } from '../../../src/relays/sender/webhook-id.ts'

test('the ID is the URN of the device, a slash, and what identifies the message', () => {
  expect(toWebhookId('urn:aa:device:acme:roof1', 'h4sh')).toBe('urn:aa:device:acme:roof1/h4sh')
})

test('two devices with the same report have different IDs', () => {
  expect(toWebhookId('urn:aa:device:acme:roof1', 'h')).not.toBe(toWebhookId('urn:aa:device:mallory:roof1', 'h'))
})

test('all characters of the URN except letters, digits, colon and hyphen are percent-encoded, so the ID has no dot', () => {
  expect(toWebhookId("urn:aa:device:a-c:i_1.2/3~'é", 'h')).toBe('urn:aa:device:a-c:i%5F1%2E2%2F3%7E%27%C3%A9/h')
})
