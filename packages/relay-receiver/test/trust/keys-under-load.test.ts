/** Messages that arrive while the service's keys rotate, or cannot be fetched. */
import type { JwkSet } from '@posrep/spec'
import { expect, test, vi } from 'vitest'
import { type Fetch, relayReceiver } from '../../src/index.ts'
import { createTestSender, type TestSender, toRequest } from '../../src/testing/testing.ts'
import { fakeClock } from '../builders.ts'

const issuer = 'https://auth.example.net'
const minuteMs = 60_000

test('a rotation under load refuses no message', async () => {
  const { clock, published, statusesOf } = aService()
  const [old, next] = await Promise.all([createTestSender({ clock }), createTestSender({ clock })])
  published.keys = old.keys.keys
  expect(await statusesOf(old, 50)).toEqual(new Set([204]))

  // As the service does it: a new key is published 10 minutes before it signs, an old one for 25 hours afterwards.
  published.keys = [...old.keys.keys, ...next.keys.keys]
  await clock.advance(10 * minuteMs)
  const both = await Promise.all([statusesOf(old, 50), statusesOf(next, 50)])
  published.keys = next.keys.keys
  await clock.advance(25 * 60 * minuteMs)

  expect(both).toEqual([new Set([204]), new Set([204])])
  expect(await statusesOf(next, 50)).toEqual(new Set([204]))
  expect(await statusesOf(old, 50)).toEqual(new Set([401]))
})

test('while the keys cannot be fetched, the last ones are used for an hour, with a request every 30 s at most', async () => {
  const { clock, fetch, onError, published, statusesOf } = aService()
  const sender = await createTestSender({ clock })
  published.keys = sender.keys.keys
  await statusesOf(sender, 1)
  fetch.mockClear()
  fetch.mockRejectedValue(new TypeError('fetch failed'))

  for (let minute = 1; minute < 60; minute++) {
    await clock.advance(minuteMs)
    expect(await statusesOf(sender, 20), `minute ${minute}`).toEqual(new Set([204]))
  }
  expect(fetch.mock.calls.length).toBe(55)
  expect(onError.mock.lastCall?.[0]).toMatchObject({ code: 'keys_unavailable' })

  await clock.advance(minuteMs)
  expect(await statusesOf(sender, 20)).toEqual(new Set([503]))
})

test('a receiver that starts during an outage answers with 503, asks once a second, and accepts as soon as it has the keys', async () => {
  const { clock, fetch, published, statusesOf } = aService()
  const sender = await createTestSender({ clock })
  published.keys = sender.keys.keys
  fetch.mockRejectedValueOnce(new TypeError('fetch failed'))

  expect(await statusesOf(sender, 20)).toEqual(new Set([503]))
  expect(await statusesOf(sender, 20)).toEqual(new Set([503]))
  expect(fetch).toHaveBeenCalledTimes(1)
  await clock.advance(1_000)

  expect(await statusesOf(sender, 20)).toEqual(new Set([204]))
})

test('metadata of another issuer are not used', async () => {
  const { clock, fetch, published, onError, statusesOf } = aService()
  const sender = await createTestSender({ clock })
  published.keys = sender.keys.keys
  fetch.mockResolvedValueOnce(Response.json({ issuer: 'https://evil.example.net', jwks_uri: `${issuer}/jwks` }))

  expect(await statusesOf(sender, 1)).toEqual(new Set([503]))
  expect(onError.mock.lastCall?.[0].cause.message).toContain('"issuer" "https://evil.example.net"')
})

test.each(['http://auth.example.net/jwks', 'nowhere', undefined])('a jwks_uri %s is not used', async (address) => {
  const { clock, fetch, onError, statusesOf } = aService()
  fetch.mockResolvedValueOnce(Response.json({ issuer, jwks_uri: address }))

  expect(await statusesOf(await createTestSender({ clock }), 1)).toEqual(new Set([503]))
  expect(onError.mock.lastCall?.[0].cause.message).toContain('without an https "jwks_uri"')
})

/** A service with this key set, and a receiver that trusts it. */
function aService() {
  const clock = fakeClock()
  const published: JwkSet = { keys: [] }
  const onError = vi.fn()
  const fetch = vi.fn<Fetch>(async ({ url }) =>
    Response.json(url.endsWith('/jwks') ? published : { issuer, jwks_uri: `${issuer}/jwks` }),
  )
  const receiver = relayReceiver({ from: issuer, devices: 'all', onReport: () => {}, onError, fetch, clock })

  /** Sends messages at the same time. */
  async function statusesOf(sender: TestSender, count: number): Promise<Set<number>> {
    const messages = await Promise.all(Array.from({ length: count }, () => sender.report()))
    const answers = await Promise.all(messages.map((message) => receiver.fetch(toRequest(message))))
    return new Set(answers.map(({ status }) => status))
  }
  return { clock, fetch, onError, published, statusesOf }
}
