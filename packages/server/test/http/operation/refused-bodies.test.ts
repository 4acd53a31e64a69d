import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aReport } from '../../a-report.ts'
import { aServer, type ServerUnderTest } from '../../a-server.ts'

const path = '/v1/position-reports'
const note = 'x'.repeat(1_000_000)
const perMinute = 17

describe.each([
  ['the fast path', true],
  ['Express', false],
])('through %s', (_way, fastPath) => {
  let server: ServerUnderTest
  beforeAll(async () => {
    server = await aServer({ fastPath })
  })
  afterAll(() => server.stop())

  test('a client whose reports of 16 MiB were not valid waits for a minute; valid ones are not counted', async () => {
    const token = await server.deviceToken()
    expect((await server.post(path, token, { ...aReport(), note })).status).toBe(202)
    for (let n = 0; n < perMinute; n++)
      expect((await server.post(path, token, { positions: [], note })).status).toBe(400)

    const refused = await server.post(path, token, aReport())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await server.post(path, await server.deviceToken('rival', 'roof1'), aReport())).status).toBe(202)
    await server.clock.advance(60_000)
    expect((await server.post(path, token, aReport())).status).toBe(202)
  })
})

test('what a user sends is counted for the account', async () => {
  const server = await aServer()
  const token = await server.userToken()
  for (let n = 0; n < perMinute; n++)
    expect((await server.post('/v1/sensor-requests', token, { note })).status).toBe(400)

  expect((await server.post('/v1/sensor-requests', token, { sensors: [{ clientUniqueId: 'x' }] })).status).toBe(429)
  await server.stop()
})
