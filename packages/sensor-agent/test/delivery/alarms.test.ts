import { expect, test } from 'vitest'
import { AgentError } from '../../src/errors.ts'
import { toUnreachable } from '../../src/http/explain-failure.ts'
import { createAlarmPrinter } from '../../src/print-alarm.ts'
import { anAgent, aPosition } from '../support/an-agent.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { accepted, problem } from '../support/network.ts'

const failed = (code: string, message: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })

test.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:8443', /port/],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND ingest.example', /host name/],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', /NODE_EXTRA_CA_CERTS/],
  ['CERT_NOT_YET_VALID', 'certificate is not yet valid', /clock/],
  ['EPROTO', 'write EPROTO ssl3_get_record:wrong version number', /TLS/],
])('%s is told with its reason and what to check', (code, message, advice) => {
  const error = toUnreachable('/v1/position-reports', failed(code, message))

  expect(error.code).toBe('service_unreachable')
  expect(error.message).toContain(`/v1/position-reports cannot be reached: ${message}; `)
  expect(error.message).toMatch(advice)
})

test('an outage is one alarm; the next outage is another', async () => {
  let down = true
  const { agent, clock, alarms } = anAgent(() => {
    if (down) throw failed('ECONNREFUSED', 'connect ECONNREFUSED')
    return accepted()
  })
  await agent.report(aPosition(1))
  await clock.advance(600_000)
  expect(alarms).toMatchObject([{ code: 'service_unreachable' }])

  down = false
  await clock.advance(60_000)
  down = true
  await agent.report(aPosition(2))
  await clock.advance(60_000)

  expect(alarms).toHaveLength(2)
})

test('the last failure is in the counts until a batch is accepted, and close() returns it', async () => {
  let down = true
  const { agent, clock } = anAgent(() => {
    if (down) throw failed('ECONNREFUSED', 'connect ECONNREFUSED')
    return accepted()
  })
  expect(agent.stats()).toMatchObject({ online: undefined, lastFailure: undefined })
  await agent.report(aPosition(1))
  await clock.advance(1_000)
  expect(agent.stats()).toMatchObject({
    online: false,
    lastFailure: { code: 'service_unreachable', message: expect.stringContaining('ECONNREFUSED') },
  })

  const closing = agent.close({ drainMs: 1_000 })
  await clock.advance(1_000)

  expect(await closing).toMatchObject({
    spooled: 1,
    lastFailure: { message: expect.stringContaining('check the port') },
  })
  down = false
})

test.each<[string, (at: number) => Response, object]>([
  ['wrong credentials', () => problem(401), { code: 'token_refused' }],
  ['a busy service', () => problem(503, { detail: 'try later' }), { code: 'unavailable', message: /503: try later/ }],
  ['a proxy', () => new Response('<html>', { status: 404 }), { code: 'foreign_answer' }],
  ['a refusal', () => problem(403, { detail: 'not this sensor' }), { code: 'refused', message: /not this sensor/ }],
])(
  'close() tells why nothing was delivered: %s',
  async (_, answer, { message = /./, ...failure }: { message?: RegExp }) => {
    const { agent, clock } = anAgent((_, at) => answer(at))
    await agent.report(aPosition(1))

    const closing = agent.close({ drainMs: 1_000 })
    await clock.advance(1_000)

    expect((await closing).lastFailure).toMatchObject({ ...failure, message: expect.stringMatching(message) })
  },
)

test('a refusal stays the last failure while other positions are accepted', async () => {
  const { agent, clock } = anAgent(({ ids }) => (ids.includes('1') ? problem(400, { detail: 'no time' }) : accepted()))
  await agent.report([aPosition(1), aPosition(2)])
  await clock.advance(1_000)

  expect(agent.stats()).toMatchObject({
    accepted: 1,
    refused: 1,
    lastFailure: { code: 'refused', message: '/v1/position-reports answered 400: no time' },
  })
})

test('without onAlarm an alarm is printed once an hour', async () => {
  const clock = createManualClock()
  const printed: string[] = []
  const print = createAlarmPrinter(clock, (line) => printed.push(line))
  const alarm = new AgentError('credentials_refused', 'no such client')

  print(alarm)
  print(alarm)
  await clock.advance(3_600_000)
  print(alarm)

  expect(printed).toEqual(['posrep agent: no such client', 'posrep agent: no such client'])
})
