import { expect, test } from 'vitest'
import { memorySpool } from '../src/spool/memory-spool.ts'
import { anAgent, aPosition, ids, positions } from './support/an-agent.ts'
import { accepted, problem } from './support/network.ts'

test('a position is reported with the sensor and the token', async () => {
  const { agent, clock, network } = anAgent()

  await agent.report(aPosition('p1'))
  await clock.advance(1_000)

  expect(network.seen).toHaveLength(1)
  const [request] = network.seen
  expect(request?.method).toBe('POST')
  expect(request?.url).toBe('https://ingest.example/v1/position-reports')
  expect(request?.headers.get('authorization')).toBe('Bearer token-1')
  expect(request?.headers.get('content-type')).toBe('application/json')
  expect(request?.redirect).toBe('manual')
  expect(JSON.parse(request?.body ?? '')).toEqual({ sensor: { id: 'roof1' }, positions: [aPosition('p1')] })
})

test('the path of the base address is kept, and the sensor is sent with its state', async () => {
  const sensor = { id: 'roof1', pressure: 1013.25, unknownToTheDocument: true }
  const { agent, clock, network } = anAgent(undefined, {
    ingestOrigin: new URL('https://api.example/surveillance/'),
    sensor,
  })

  await agent.report(aPosition())
  await clock.advance(1_000)

  expect(network.seen[0]?.url).toBe('https://api.example/surveillance/v1/position-reports')
  expect(JSON.parse(network.seen[0]?.body ?? '').sensor).toEqual(sensor)
})

test('report() resolves before anything is sent', async () => {
  const { agent, network } = anAgent()

  await agent.report(positions(1, 5))

  expect(network.seen).toEqual([])
  expect(agent.stats()).toMatchObject({ reported: 5, spooled: 5, accepted: 0 })
})

test('a partial batch is sent after the delay and not before', async () => {
  const { agent, clock, network } = anAgent()

  await agent.report(aPosition(1))
  await clock.advance(600)
  await agent.report(aPosition(2))
  await clock.advance(399)
  expect(network.reports()).toEqual([])
  await clock.advance(1)

  expect(network.reports()).toEqual([['1', '2']])
})

test('a batch with the maximum number of positions is sent at once', async () => {
  const { agent, clock, network } = anAgent(undefined, { batchSize: 10 })

  await agent.report(positions(1, 25))
  await clock.advance(0)
  expect(network.reports()).toEqual([ids(1, 10), ids(11, 20)])
  await clock.advance(1_000)

  expect(network.reports()).toEqual([ids(1, 10), ids(11, 20), ids(21, 25)])
})

test('a waiting partial batch is sent when it becomes full', async () => {
  const { agent, clock, network } = anAgent(undefined, { batchSize: 3 })

  await agent.report(aPosition(1))
  await clock.advance(500)
  await agent.report(positions(2, 3))
  await clock.advance(0)

  expect(network.reports()).toEqual([['1', '2', '3']])
})

test('a batch with the maximum number of bytes is sent at once, and no body is larger', async () => {
  const { agent, clock, network } = anAgent(undefined, { batchBytes: 1_024 })

  await agent.report(positions(1, 27))
  await clock.advance(0)

  expect(network.seen.length).toBe(2)
  for (const { body } of network.seen) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_024)
  for (const { body } of network.seen) expect(Buffer.byteLength(body)).toBeGreaterThan(900)
  await clock.advance(1_000)
  expect(network.reports().flat()).toEqual(ids(1, 27))
})

test('a position larger than a batch is sent alone', async () => {
  const { agent, clock, network } = anAgent(undefined, { batchBytes: 1_024 })
  const large = aPosition('large', { additionalInfo: { text: 'ä'.repeat(2_000) } })

  await agent.report([aPosition(1), large, aPosition(2)])
  await clock.advance(1_000)

  expect(network.reports()).toEqual([['1'], ['large'], ['2']])
})

test('only one request is in progress at a time', async () => {
  let release: (response: Response) => void = () => undefined
  const { agent, clock, network } = anAgent(() => new Promise((resolve) => (release = resolve)), { batchSize: 1 })

  await agent.report(positions(1, 3))
  await clock.advance(0)
  expect(network.seen).toHaveLength(1)
  release(accepted())
  await clock.advance(0)

  expect(network.reports()).toEqual([['1'], ['2']])
})

test('thousands of positions arrive in order although the network sometimes fails', async () => {
  const { agent, clock, network } = anAgent((_, at) => (at % 3 === 1 ? problem(503) : accepted()), {
    batchSize: 50,
    backlogAfterMs: Number.POSITIVE_INFINITY,
  })

  for (let first = 1; first <= 3_000; first += 30) {
    await agent.report(positions(first, first + 29))
    await clock.advance(100)
  }
  await clock.advance(120_000)

  expect([...new Set(network.reports().flat())]).toEqual(ids(1, 3_000))
  expect(agent.stats()).toMatchObject({ reported: 3_000, accepted: 3_000, spooled: 0, dropped: 0, refused: 0 })
})

test('reportJson() sends the text unchanged', async () => {
  const { agent, clock, network } = anAgent()
  const given =
    '{ "id":"1", "sourceTimeStamp":"2026-11-21T12:00:00Z","position":{"lat":6.030e1,"lon":24.90},"zukunft":{"gross":12345678901234567890,"Text":"\\u00e4ö🛰"}}'
  const object = { ...aPosition('2'), futureField: [1, { deep: null }], position: { lat: 1, lon: 2, quality: 'A' } }

  await agent.reportJson(given)
  await agent.report(object)
  await clock.advance(1_000)

  expect(network.seen[0]?.body).toBe(`{"sensor":{"id":"roof1"},"positions":[${given},${JSON.stringify(object)}]}`)
})

test('the serialised position is validated, so a Date is accepted as a string', async () => {
  const { agent, clock, network } = anAgent()
  // Callers without types do this.
  const sourceTimeStamp = new Date('2026-11-21T12:00:00.250Z') as unknown as string

  await agent.report(aPosition('1', { sourceTimeStamp }))
  await clock.advance(1_000)

  expect(network.seen[0]?.body).toContain('"sourceTimeStamp":"2026-11-21T12:00:00.250Z"')
})

test('changing an object after report() does not change what is sent', async () => {
  const { agent, clock, network } = anAgent()
  const position = aPosition('before')

  await agent.report(position)
  position.id = 'after'
  await clock.advance(1_000)

  expect(network.reports()).toEqual([['before']])
})

test('a wrong position is rejected with its path, and no position of the call is stored', async () => {
  const { agent } = anAgent()

  await expect(agent.report([aPosition(1), aPosition(2, { position: { lat: 91, lon: 0 } })])).rejects.toMatchObject({
    code: 'invalid_position',
    message: expect.stringMatching(/^positions\[1\]\.position\.lat: .*90.*91/),
  })
  await expect(agent.report(aPosition(1, { position: { lat: Number.NaN, lon: 0 } }))).rejects.toThrow(
    'positions[0].position.lat',
  )
  await expect(agent.report(aPosition(1, { sourceTimeStamp: '2026-02-30T00:00:00Z' }))).rejects.toThrow(
    'positions[0].sourceTimeStamp: has the wrong format, got "2026-02-30T00:00:00Z"',
  )
  await expect(agent.reportJson('{"id":')).rejects.toMatchObject({ code: 'invalid_position' })
  await expect(agent.reportJson('[]')).rejects.toMatchObject({ code: 'invalid_position' })
  expect(agent.stats()).toMatchObject({ reported: 0, spooled: 0 })
})

test('an empty report sends nothing', async () => {
  const { agent, clock, network } = anAgent()

  await agent.report([])
  await clock.advance(10_000)

  expect(network.seen).toEqual([])
})

test('when the spool is full, the oldest positions are dropped, counted and reported to onDropped', async () => {
  const size = JSON.stringify(aPosition(10)).length
  const spool = memorySpool({ maxBytes: 5 * size })
  const { agent, clock, network, dropped } = anAgent(() => problem(503), { spool })

  await agent.report(positions(10, 14))
  await clock.advance(1_000)
  await agent.report(positions(15, 17))
  await clock.advance(60_000)

  expect(dropped).toEqual([3])
  expect(agent.stats()).toMatchObject({ reported: 8, dropped: 3, spooled: 5, accepted: 0 })
  expect(network.reports().at(-1)).toEqual(ids(13, 17))
})

test('a position that is dropped while it is being sent is counted once', async () => {
  let release: (response: Response) => void = () => undefined
  const size = JSON.stringify(aPosition(10)).length
  const { agent, clock } = anAgent(() => new Promise((resolve) => (release = resolve)), {
    spool: memorySpool({ maxBytes: 2 * size }),
  })

  await agent.report(positions(10, 11))
  await clock.advance(1_000)
  await agent.report(aPosition(12))
  release(accepted())
  await clock.advance(0)

  expect(agent.stats()).toMatchObject({ reported: 3, dropped: 1, accepted: 1, spooled: 1 })
})

test('flush() sends at once and resolves when the spool is empty', async () => {
  const { agent, clock, network } = anAgent((_, at) => (at === 0 ? problem(503) : accepted()))
  await agent.report(positions(1, 3))

  let flushed = false
  const flush = agent.flush().then(() => (flushed = true))
  await clock.advance(0)
  expect(network.reports()).toEqual([['1', '2', '3']])
  expect(flushed).toBe(false)
  await clock.advance(1_000)
  await flush

  expect(agent.stats()).toMatchObject({ accepted: 3, spooled: 0 })
})

test('flush() of an empty spool resolves at once', async () => {
  const { agent, network } = anAgent()
  await agent.flush()
  expect(network.seen).toEqual([])
})

test('close() sends what is in the spool, stops, and rejects further reports', async () => {
  const { agent, clock, network } = anAgent()
  await agent.report(positions(1, 3))

  const stats = await agent.close()

  expect(network.reports()).toEqual([['1', '2', '3']])
  expect(stats).toMatchObject({ accepted: 3, spooled: 0 })
  await expect(agent.report(aPosition())).rejects.toMatchObject({ code: 'agent_closed' })
  await clock.advance(0)
  expect(clock.sleepers()).toBe(0)
})

test('close() stops after "drainMs" and resolves with what is left', async () => {
  const { agent, clock } = anAgent(() => problem(503))
  await agent.report(positions(1, 3))

  const closing = agent.close({ drainMs: 5_000 })
  await clock.advance(5_000)

  expect(await closing).toMatchObject({ accepted: 0, spooled: 3 })
  expect(clock.sleepers()).toBe(0)
})

test('close() without draining cancels the request in progress', async () => {
  const { agent, clock, network } = anAgent(() => new Promise(() => undefined))
  await agent.report(aPosition())
  await clock.advance(1_000)

  const stats = await agent.close({ drain: false })

  expect(network.seen[0]?.signal.aborted).toBe(true)
  expect(stats).toMatchObject({ spooled: 1 })
  expect(clock.sleepers()).toBe(0)
})

test('close() ends a backoff that the service did not ask for', async () => {
  let up = false
  const { agent, clock } = anAgent(() => (up ? accepted() : problem(500)))
  await agent.report(aPosition())
  await clock.advance(40_000)

  up = true
  const stats = await agent.close()

  expect(stats).toMatchObject({ accepted: 1, spooled: 0 })
})

test('flush() rejects when the agent is closed before the spool is empty', async () => {
  const { agent, clock } = anAgent(() => problem(503))
  await agent.report(aPosition())
  const flush = agent.flush()
  const rejected = expect(flush).rejects.toMatchObject({
    code: 'agent_closed',
    message: expect.stringContaining('1 positions'),
  })

  await clock.advance(0)
  await agent.close({ drain: false })

  await rejected
  await expect(agent.flush()).rejects.toMatchObject({ code: 'agent_closed' })
})

test('positions that are in the spool before the agent starts are sent', async () => {
  const spool = memorySpool()
  await spool.append([JSON.stringify(aPosition('old'))], Date.UTC(2030, 0, 1))
  const { clock, network } = anAgent(undefined, { spool })

  await clock.advance(1_000)

  expect(network.reports()).toEqual([['old']])
})

test('a position that is reported while the empty spool is being read is sent after the delay', async () => {
  const memory = memorySpool()
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  const slow: typeof memory.peek = async (...given) => {
    const found = await memory.peek(...given)
    await mayAnswer
    return found
  }
  const { agent, clock, network } = anAgent(undefined, { spool: { ...memory, peek: slow } })
  await clock.advance(0)

  await agent.report(aPosition('1'))
  answer()
  await clock.advance(1_000)

  expect(network.reports()).toEqual([['1']])
})

test('a spool that cannot be read raises an alarm and is read again', async () => {
  const healthy = memorySpool()
  let broken = true
  const spool = {
    ...healthy,
    peek: async (count: number, bytes: number) => {
      if (broken) throw new Error('EIO')
      return healthy.peek(count, bytes)
    },
  }
  const { agent, clock, network, alarms } = anAgent(undefined, { spool })

  await agent.report(aPosition('1'))
  await clock.advance(5_000)
  expect(alarms[0]).toMatchObject({ code: 'spool_stuck', message: expect.stringContaining('EIO') })
  broken = false
  await clock.advance(60_000)

  expect(network.reports()).toEqual([['1']])
})

test.each([
  [{ batchSize: 0 }, '"batchSize" must be 1-1000, got 0'],
  [{ batchSize: 1.5 }, '"batchSize" must be a whole number, got 1.5'],
  [{ batchBytes: 2_000_000 }, '"batchBytes" must be 1024-1048576, got 2000000'],
  [{ maxDelayMs: -1 }, '"maxDelayMs" must be 0 or more, got -1'],
  [{ deadlineMs: Number.NaN }, '"deadlineMs" must be 1 or more, got NaN'],
  [{ ingestOrigin: new URL('http://ingest.example') }, '"ingestOrigin" must be an https URL'],
  [{ ingestOrigin: new URL('https://user:pass@ingest.example') }, 'without user'],
  [{ sensor: { id: 'roof1', pressure: Number.NaN } }, '"sensor.pressure"'],
])('the wrong option %j throws at creation', (options, message) => {
  expect(() => anAgent(undefined, options)).toThrow(message)
})

test('plain HTTP is allowed on this machine only', () => {
  for (const origin of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:1']) {
    expect(() => anAgent(undefined, { ingestOrigin: new URL(origin) })).not.toThrow()
  }
  for (const origin of ['http://localhost.example', 'http://10.0.0.1', 'ftp://localhost']) {
    expect(() => anAgent(undefined, { ingestOrigin: new URL(origin) })).toThrow('ingestOrigin')
  }
})
