import { expect, test } from 'vitest'
import { AgentError } from '../src/errors.ts'
import { anAgent, aPosition, aTokenSource, ids, positions } from './support/an-agent.ts'
import { accepted, problem, wrongAt } from './support/network.ts'

const statusesToRetry = [200, 204, 301, 302, 307, 404, 405, 408, 410, 429, 500, 502, 503, 504]

test.each(statusesToRetry)('%i keeps the batch in the spool and sends it again', async (status) => {
  const body = [204, 301, 302, 307].includes(status) ? null : 'the page of a proxy'
  const { agent, clock, network, outcomes } = anAgent((_, at) =>
    at === 0 ? new Response(body, { status }) : accepted(),
  )

  await agent.report(positions(1, 3))
  await clock.advance(2_000)

  expect(network.reports()).toEqual([ids(1, 3), ids(1, 3)])
  expect(outcomes).toEqual([
    { kind: 'retry', positions: 3, reason: `/v1/position-reports answered ${status}`, afterMs: 1_000 },
    { kind: 'accepted', positions: 3 },
  ])
  expect(agent.stats()).toMatchObject({ accepted: 3, spooled: 0, requests: 2, retries: 1 })
})

test('a network failure keeps the batch, and the reason contains the cause', async () => {
  let down = true
  const { agent, clock, network, outcomes } = anAgent(() => {
    if (down) throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:8443') })
    return accepted()
  })

  await agent.report(aPosition('1'))
  await clock.advance(1_000)
  expect(outcomes[0]).toMatchObject({ kind: 'retry', reason: expect.stringContaining('ECONNREFUSED') })
  down = false
  await clock.advance(1_000)

  expect(network.reports()).toEqual([['1'], ['1']])
})

test('after an outage the newest positions are sent first, then those that were reported before', async () => {
  let down = true
  const { agent, clock, network } = anAgent(() => {
    if (down) throw new TypeError('fetch failed')
    return accepted()
  })

  await agent.report(positions(1, 2))
  await clock.advance(3_600_000)
  await agent.report(positions(3, 4))
  down = false
  await clock.advance(60_000)

  expect(network.reports().slice(-2)).toEqual([ids(3, 4), ids(1, 2)])
  expect(agent.stats()).toMatchObject({ accepted: 4, spooled: 0 })
})

test('the backoff doubles from a second to a minute, and restarts after a success', async () => {
  let up = false
  const { agent, clock, outcomes } = anAgent(() => (up ? accepted() : problem(503)))
  const waits = () => outcomes.flatMap((outcome) => (outcome.kind === 'retry' ? [outcome.afterMs] : []))

  await agent.report(aPosition(1))
  await clock.advance(190_000)
  expect(waits().slice(0, 9)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  up = true
  await clock.advance(60_000)
  up = false
  await agent.report(aPosition(2))
  await clock.advance(1_000)

  expect(waits().at(-1)).toBe(1_000)
})

test('the backoff has full jitter: it is a random part of its limit', async () => {
  const { agent, clock, outcomes } = anAgent(() => problem(503), { random: () => 0.25 })

  await agent.report(aPosition(1))
  await clock.advance(1_800)

  expect(outcomes).toMatchObject([{ afterMs: 250 }, { afterMs: 500 }, { afterMs: 1_000 }])
})

test.each([
  ['20', 21_000],
  ['Sat, 21 Nov 2026 12:00:31 GMT', 31_000],
  ['86400', 601_000],
  ['soon', 1_000],
  ['0', 1_000],
])('after Retry-After %j the agent waits that time plus jitter, within bounds', async (header, afterMs) => {
  const { agent, clock, network, outcomes } = anAgent((_, at) =>
    at === 0 ? problem(429, {}, { 'retry-after': header }) : accepted(),
  )

  await agent.report(aPosition(1))
  await clock.advance(1_000)
  expect(outcomes[0]).toMatchObject({ kind: 'retry', afterMs })
  await clock.advance(afterMs - 1)
  expect(network.seen).toHaveLength(1)
  await clock.advance(1)

  expect(network.seen).toHaveLength(2)
})

test('a Retry-After of zero does not replace the backoff', async () => {
  const { agent, clock, outcomes } = anAgent(() => problem(503, {}, { 'retry-after': '0' }))

  await agent.report(aPosition(1))
  await clock.advance(7_999)

  expect(outcomes).toMatchObject([{ afterMs: 1_000 }, { afterMs: 2_000 }, { afterMs: 4_000 }])
})

test('close() does not shorten a Retry-After', async () => {
  const { agent, clock, network } = anAgent(() => problem(503, {}, { 'retry-after': '30' }))
  await agent.report(aPosition(1))
  await clock.advance(1_000)

  const closing = agent.close({ drainMs: 5_000 })
  await clock.advance(5_000)

  expect(await closing).toMatchObject({ spooled: 1 })
  expect(network.seen).toHaveLength(1)
})

test('a request without a response, or with a response that does not end, is cancelled at the deadline', async () => {
  const endless = new ReadableStream({ pull: () => new Promise(() => undefined) })
  const { agent, clock, network, outcomes } = anAgent((_, at) => {
    if (at === 0) return new Promise(() => undefined)
    return at === 1 ? new Response(endless, { status: 202 }) : accepted()
  })

  await agent.report(aPosition('1'))
  await clock.advance(1_000 + 10_000)
  expect(network.seen[0]?.signal.aborted).toBe(true)
  expect(outcomes[0]).toMatchObject({ kind: 'retry', reason: expect.stringContaining('within 10000 ms') })
  await clock.advance(1_000 + 10_000 + 2_000)

  expect(outcomes.map(({ kind }) => kind)).toEqual(['retry', 'retry', 'accepted'])
})

test('after a 401 the token is refreshed and the same batch is sent again at once', async () => {
  const tokens = aTokenSource()
  const { agent, clock, network, outcomes, alarms } = anAgent((_, at) => (at === 0 ? problem(401) : accepted()), {
    tokens,
  })

  await agent.report(positions(1, 3))
  await clock.advance(1_000)

  expect(network.reports()).toEqual([ids(1, 3), ids(1, 3)])
  expect(network.seen.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token-1', 'Bearer token-2'])
  expect(network.seen[1]?.body).toBe(network.seen[0]?.body)
  expect(tokens.refreshes).toEqual(['token-1'])
  expect(outcomes).toEqual([{ kind: 'accepted', positions: 3 }])
  expect(alarms).toEqual([])
})

test('a second 401 raises an alarm and starts the backoff', async () => {
  const tokens = aTokenSource()
  const { agent, clock, network, outcomes, alarms } = anAgent(() => problem(401, { detail: 'revoked' }), { tokens })

  await agent.report(aPosition(1))
  await clock.advance(1_000)

  expect(network.seen).toHaveLength(2)
  expect(alarms).toMatchObject([{ code: 'token_refused', message: expect.stringContaining('revoked') }])
  expect(outcomes).toMatchObject([{ kind: 'retry', afterMs: 1_000 }])
  await clock.advance(1_000)
  expect(network.seen).toHaveLength(4)
  expect(agent.stats()).toMatchObject({ spooled: 1, refused: 0 })
})

test('without a token no position is sent and none is lost', async () => {
  let up = false
  const busy = new AgentError('token_unavailable', 'the token endpoint is down', { retryAfterMs: 5_000 })
  const tokens = { ...aTokenSource(), get: async () => (up ? 'token-1' : Promise.reject(busy)) }
  const { agent, clock, network, outcomes, alarms } = anAgent(undefined, { tokens })

  await agent.report(aPosition(1))
  await clock.advance(1_000)
  expect(outcomes).toMatchObject([{ kind: 'retry', reason: 'the token endpoint is down', afterMs: 6_000 }])
  expect(network.seen).toEqual([])
  up = true
  await clock.advance(6_000)

  expect(network.seen).toHaveLength(1)
  expect(alarms).toEqual([])
})

test('refused credentials raise an alarm, and the positions stay in the spool', async () => {
  const refused = new AgentError('credentials_refused', 'no such client')
  const tokens = { ...aTokenSource(), get: () => Promise.reject(refused) }
  const { agent, clock, alarms } = anAgent(undefined, { tokens })

  await agent.report(aPosition(1))
  await clock.advance(1_000)

  expect(alarms).toEqual([refused])
  expect(agent.stats()).toMatchObject({ spooled: 1, refused: 0 })
})

test('another error of a token source is retried, and the reason contains it', async () => {
  const tokens = { ...aTokenSource(), get: () => Promise.reject(new Error('vault is sealed')) }
  const { agent, clock, outcomes } = anAgent(undefined, { tokens })

  await agent.report(aPosition(1))
  await clock.advance(1_000)

  expect(outcomes).toMatchObject([{ kind: 'retry', reason: 'No device token: vault is sealed' }])
})

test.each([403, 415])('%i sets the whole batch aside with the reason', async (status) => {
  const { agent, clock, network, refused, outcomes } = anAgent((_, at) =>
    at === 0 ? problem(status, { detail: 'Not this sensor' }) : accepted(),
  )

  await agent.report(positions(1, 3))
  await clock.advance(1_000)
  await agent.report(aPosition(4))
  await clock.advance(1_000)

  const reason = `/v1/position-reports answered ${status}: Not this sensor`
  expect(refused).toEqual(positions(1, 3).map((position) => ({ json: JSON.stringify(position), reason, status })))
  expect(outcomes).toContainEqual({ kind: 'refused', positions: 3, reason, status })
  expect(network.reports()).toEqual([ids(1, 3), ['4']])
  expect(agent.stats()).toMatchObject({ refused: 3, accepted: 1, spooled: 0 })
})

test('refused positions stay in the spool until onRefused succeeds', async () => {
  let full = true
  const kept: string[] = []
  const { agent, clock, alarms } = anAgent(() => problem(403), {
    onRefused: async (positions) => {
      if (full) throw new Error('disk full')
      kept.push(...positions.map(({ json }) => json))
    },
  })

  await agent.report(aPosition(1))
  await clock.advance(1_000)
  expect(agent.stats()).toMatchObject({ refused: 0, spooled: 1 })
  expect(alarms).toMatchObject([{ code: 'spool_stuck', message: expect.stringContaining('disk full') }])
  full = false
  await clock.advance(1_000)

  expect(kept).toEqual([JSON.stringify(aPosition(1))])
  expect(agent.stats()).toMatchObject({ refused: 1, spooled: 0 })
})

test.each([400, 422])(
  'after a %i without a pointer the batch is bisected: the wrong position is refused, the others arrive in order',
  async (status) => {
    const { agent, clock, network, refused } = anAgent(({ ids }) =>
      ids.includes('37') ? problem(status, { detail: 'something is wrong' }) : accepted(),
    )
    const arrived = () =>
      network
        .reports()
        .filter((report) => !report.includes('37'))
        .flat()

    await agent.report(positions(1, 100))
    await clock.advance(0)

    expect(arrived()).toEqual(ids(1, 100).filter((id) => id !== '37'))
    expect(refused).toMatchObject([
      { json: JSON.stringify(aPosition(37)), status, reason: expect.stringContaining('something') },
    ])
    expect(agent.stats()).toMatchObject({ accepted: 99, refused: 1, spooled: 0, retries: 0 })
    expect(network.seen.length).toBeLessThan(16)
  },
)

test('a 400 that names the position isolates it, and onRefused gets the pointer and the detail', async () => {
  const { agent, clock, network, refused } = anAgent(({ ids }) => {
    const index = ids.indexOf('37')
    return index < 0 ? accepted() : wrongAt(index)
  })

  await agent.report(positions(1, 100))
  await clock.advance(0)

  expect(network.reports()).toEqual([ids(1, 100), ids(1, 36), ['37'], ids(38, 100)])
  expect(refused).toEqual([
    {
      json: JSON.stringify(aPosition(37)),
      status: 400,
      reason: '/v1/position-reports answered 400: must be -90 to 90',
      pointer: '/position/lat',
    },
  ])
})

test('each wrong position is refused, including the first and the last', async () => {
  const bad = ['1', '2', '50', '99', '100']
  const { agent, clock, network } = anAgent(({ ids }) =>
    ids.some((id) => bad.includes(id)) ? problem(400) : accepted(),
  )

  await agent.report(positions(1, 100))
  await clock.advance(0)

  expect(agent.stats()).toMatchObject({ accepted: 95, refused: 5, spooled: 0 })
  const arrived = network.reports().filter((report) => !report.some((id) => bad.includes(id)))
  expect(arrived.flat()).toEqual(ids(1, 100).filter((id) => !bad.includes(id)))
})

test('a pointer to a position outside the batch is ignored', async () => {
  const { agent, clock } = anAgent(({ ids }) => (ids.includes('2') ? wrongAt(700) : accepted()))

  await agent.report(positions(1, 4))
  await clock.advance(1_000)

  expect(agent.stats()).toMatchObject({ accepted: 3, refused: 1 })
})

test('a 400 about the sensor refuses the batch without splitting it', async () => {
  const errors = [{ pointer: '/sensor/pressure', code: 'type', detail: 'must be a number' }]
  const { agent, clock, network, refused } = anAgent(() => problem(400, { errors }))

  await agent.report(positions(1, 4))
  await clock.advance(1_000)

  expect(network.seen).toHaveLength(1)
  expect(refused).toHaveLength(4)
  expect(refused[0]?.pointer).toBe('/sensor/pressure')
})

test('a failure during a bisection loses no position and keeps the order', async () => {
  const { agent, clock, network } = anAgent(({ ids }, at) => {
    if (at === 3) return problem(503)
    return ids.includes('5') ? problem(400) : accepted()
  })
  const arrived = () =>
    network
      .reports()
      .filter((report, at) => at !== 3 && !report.includes('5'))
      .flat()

  await agent.report(positions(1, 8))
  await clock.advance(10_000)

  expect(arrived()).toEqual(['1', '2', '3', '4', '6', '7', '8'])
  expect(agent.stats()).toMatchObject({ accepted: 7, refused: 1, spooled: 0 })
})

test('after a 413 the batch is halved until it fits', async () => {
  const { agent, clock, network } = anAgent(({ ids }) => (ids.length > 3 ? problem(413) : accepted()))

  await agent.report(positions(1, 10))
  await clock.advance(1_000)

  const arrived = network.reports().filter(({ length }) => length <= 3)
  expect(arrived.flat()).toEqual(ids(1, 10))
  expect(agent.stats()).toMatchObject({ accepted: 10, refused: 0 })
})

test('a single position that is too large is refused', async () => {
  const { agent, clock, refused } = anAgent(({ ids }) => (ids.includes('2') ? problem(413) : accepted()))

  await agent.report(positions(1, 3))
  await clock.advance(1_000)

  expect(refused).toMatchObject([{ json: JSON.stringify(aPosition(2)), status: 413 }])
  expect(agent.stats()).toMatchObject({ accepted: 2, refused: 1 })
})

const page = (status: number) => new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
const problemOf = (status: number) => problem(422, { status })

test.each<[string, (at: number) => Response]>([
  ['a 400 with a page', () => page(400)],
  ['a 413 with a page', () => page(413)],
  ['a 403 with a page', () => page(403)],
  ['a 415 without content', () => new Response(null, { status: 415 })],
  ['a 422 with JSON of another format', () => Response.json({ error: 'no' }, { status: 422 })],
  ['a 422 with the problem of another status', () => problemOf(400)],
  ['a 302 to a sign-in page', () => new Response(null, { status: 302, headers: { location: 'https://portal' } })],
  ['a 200 with a page', () => page(200)],
  ['a 404 of the service', () => problem(404)],
])(
  '%s refuses no position: the batch is sent again, and an alarm says that something else answered',
  async (_, answer) => {
    let isBetween = true
    const { agent, clock, refused, alarms } = anAgent(({ ids }, at) =>
      // A proxy that limits the size lets smaller requests pass.
      isBetween && ids.includes('2') ? answer(at) : accepted(),
    )

    await agent.report(positions(1, 3))
    await clock.advance(60_000)
    expect(refused).toEqual([])
    expect(alarms).toMatchObject([{ code: 'foreign_answer' }])
    isBetween = false
    await clock.advance(60_000)

    expect(agent.stats()).toMatchObject({ accepted: 3, refused: 0, spooled: 0 })
    expect(alarms).toHaveLength(1)
  },
)

test('the alarm about an answer of something else says what it answered and what to check', async () => {
  const { agent, clock, alarms } = anAgent(() => page(405))

  await agent.report(aPosition(1))
  await clock.advance(1_000)

  expect(alarms[0]?.message).toMatch(/answered 405 with text\/html, .* proxy.*; check the network/)
})

test('an outage that changes its kind is told again', async () => {
  let answers = false
  const { agent, clock, alarms } = anAgent(() => {
    if (answers) return page(404)
    throw new TypeError('fetch failed')
  })

  await agent.report(aPosition(1))
  await clock.advance(60_000)
  answers = true
  await clock.advance(600_000)

  expect(alarms.map(({ code }) => code)).toEqual(['service_unreachable', 'foreign_answer'])
})
