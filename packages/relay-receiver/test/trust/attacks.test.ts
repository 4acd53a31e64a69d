/** What somebody who can reach the receiver may try. Each row has the status of the README's table. */
import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { type ReceiverOptions, relayReceiver } from '../../src/index.ts'
import { createTestSender, type TestMessage, toRequest } from '../../src/testing/testing.ts'
import { deferred, fakeClock } from '../builders.ts'

const clock = fakeClock()
const sender = await createTestSender({ clock })
const otherDeployment = await createTestSender({ clock })
const report = await sender.report()
const validation = await sender.validation()

type Attack = () => Promise<TestMessage> | TestMessage

const attacks: Record<string, [status: number, attack: Attack]> = {
  'an unsigned report': [401, () => sender.unsigned(report)],
  'an unsigned validation': [401, () => sender.unsigned(validation)],
  'a report signed with another key': [401, () => sender.forged(report)],
  'a validation signed with another key': [401, () => sender.forged(validation)],
  'a report of another deployment, for a device of the same URN': [401, () => otherDeployment.report()],
  'a report of 301 s ago': [401, () => sender.late(report, 301_000)],
  'a report from 301 s in the future': [401, () => sender.late(report, -301_000)],
  'a report whose timestamp was renewed': [401, () => withHeader('webhook-timestamp', String(clock.now() / 1000 + 1))],
  'a timestamp that is no number': [401, () => withHeader('webhook-timestamp', '1e9')],
  'a report whose ID was changed': [401, () => withHeader('webhook-id', 'urn:aa:device:acme:roof1/other')],
  'a report with one byte changed': [401, () => sender.altered(report)],
  'a report with a byte appended': [401, () => ({ ...report, body: `${report.body} ` })],
  'a signature of another scheme': [401, () => withHeader('webhook-signature', signature().replace('v1a,', 'v1,'))],
  'eight forged signatures before the valid one': [
    401,
    () => withHeader('webhook-signature', `v1a,${'A'.repeat(86)}== `.repeat(8) + signature()),
  ],
  'a valid signature among forged ones': [
    204,
    () => withHeader('webhook-signature', `v1a,${'A'.repeat(86)}== v1,x ${signature()}`),
  ],
  'a signed report for a device of another account': [
    403,
    () => sender.report(undefined, { id: 'urn:aa:device:mallory:roof1/1' }),
  ],
  'a signed body that is not a message': [400, () => sender.sign('{"name":"position_report"}')],
  'a signed body that nests too deep': [400, () => sender.sign('['.repeat(100_000))],
  'a body over 2 MiB': [413, () => sender.sign(' '.repeat(2 * 1024 * 1024 + 1))],
}

for (const [attack, [status, make]] of Object.entries(attacks)) {
  test(`${attack} is answered with ${status}`, async () => {
    const { fetch, onReport } = aReceiver()
    const response = await fetch(toRequest(await make()))

    expect(response.status).toBe(status)
    expect(onReport).toHaveBeenCalledTimes(status === 204 ? 1 : 0)
    // An answer with the code would be consent.
    expect(await response.text()).not.toContain(JSON.parse(validation.body).validationCode)
  })
}

test('a body that was really compressed is answered with 401, and not decompressed', async () => {
  const { headers } = report
  const body = gzipSync(Buffer.alloc(100_000_000))
  const request = new Request('https://relay.example.net/', {
    method: 'POST',
    headers: { ...headers, 'content-encoding': 'gzip' },
    body,
  })

  expect((await aReceiver().fetch(request)).status).toBe(401)
})

test('a body that comes too slowly is answered with 503 at the deadline', async () => {
  const { fetch, onReport } = aReceiver()
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) })
  const init = { method: 'POST', headers: report.headers, body, duplex: 'half' } satisfies RequestInit & {
    duplex: string
  }
  const answer = fetch(new Request('https://relay.example.net/', init))

  await clock.advance(9_000)

  expect((await answer).status).toBe(503)
  expect(onReport).not.toHaveBeenCalled()
})

test('a message that is replayed after a restart is accepted again for 5 minutes, and not after that', async () => {
  const message = await sender.report()
  expect((await aReceiver().fetch(toRequest(message))).status).toBe(204)

  const restarted = aReceiver()
  expect((await restarted.fetch(toRequest(message))).status).toBe(204)
  expect((await restarted.fetch(toRequest(message))).status).toBe(204)
  expect(restarted.onReport).toHaveBeenCalledTimes(1)
  await clock.advance(300_001)

  expect((await aReceiver().fetch(toRequest(message))).status).toBe(401)
})

test('10,000 forged reports at the same time are answered with 401', async () => {
  const { fetch, onReport } = aReceiver()
  const forged = await sender.forged(await sender.report())
  const answers = await Promise.all(Array.from({ length: 10_000 }, () => fetch(toRequest(forged))))

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  expect(onReport).not.toHaveBeenCalled()
})

test('10,000 unsigned reports at the same time are refused without reading their bodies', async () => {
  const { fetch } = aReceiver()
  const unsigned = sender.unsigned(await sender.report())
  const requests = Array.from({ length: 10_000 }, () => toRequest(unsigned))
  const answers = await Promise.all(requests.map(fetch))

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  expect(requests.some(({ bodyUsed }) => bodyUsed)).toBe(false)
})

test('of 2,000 valid reports at the same time 100 are worked on, and the rest are answered with 503 at once', async () => {
  const { promise, resolve } = deferred()
  const onReport = vi.fn(() => promise)
  const { fetch } = aReceiver({ onReport })
  const messages = await Promise.all(Array.from({ length: 2_000 }, () => sender.report()))
  const statuses: number[] = []
  const answers = messages.map(async (message) => void statuses.push((await fetch(toRequest(message))).status))
  await vi.waitFor(() => expect(statuses).toHaveLength(1_900))
  expect(new Set(statuses)).toEqual(new Set([503]))
  resolve()

  await Promise.all(answers)
  expect(statuses.slice(1_900)).toEqual(Array(100).fill(204))
  expect(onReport).toHaveBeenCalledTimes(100)
})

function aReceiver(options: Partial<Pick<ReceiverOptions, 'onReport'>> = {}) {
  const onReport = vi.fn()
  const { fetch } = relayReceiver({
    onReport,
    onError: () => {},
    ...options,
    from: sender.keys,
    devices: [sender.device],
    clock,
  })
  return { fetch, onReport }
}

function withHeader(name: string, value: string): TestMessage {
  return { ...report, headers: { ...report.headers, [name]: value } }
}

function signature(): string {
  return report.headers['webhook-signature'] ?? ''
}
