import type { Device, DeviceList, RecentPositionReportList } from '@posrep/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPosition, aReport } from '../a-report.ts'
import { aServer, rival, rivalRoof1, roof1, roof2, type ServerUnderTest } from '../a-server.ts'

const bare1 = 'urn:aa:device:scopeless:bare1'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer({ flags: { 'recent-limit': '20' } })
})
afterAll(() => server.stop())

async function get<T>(path: string): Promise<T> {
  const response = await server.get(path, await server.userToken())
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

async function report(...ids: string[]): Promise<void> {
  const token = await server.deviceToken()
  for (const id of ids) {
    const report = aReport({ positions: [aPosition({ id })] })
    expect((await server.post('/v1/position-reports', token, report)).status).toBe(202)
  }
  await server.processed()
}

const recent = (query = '') => get<RecentPositionReportList>(`/v1/devices/${roof1}/recent${query}`)
const idsOf = ({ data }: RecentPositionReportList) => data.map(({ positions }) => positions[0]?.id)

async function toggle(urn = roof1): Promise<boolean> {
  const response = await server.post(`/v1/devices/${urn}/toggle-storing-position-reports`, await server.userToken())
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^application\/json/),
  ])
  return (await response.json()) as boolean
}

describe('the list of devices', () => {
  const ids = async (query: string) =>
    (await get<DeviceList>(`/v1/devices${query}`)).data.map(({ deviceId }) => deviceId)

  test('has the devices of the account, ordered by URN', async () => {
    expect(await ids('')).toEqual([roof1, roof2, bare1])
  })

  test('is read in pages', async () => {
    expect(await ids('?limit=2')).toEqual([roof1, roof2])
    expect(await ids(`?limit=2&after=${roof2}`)).toEqual([bare1])
    expect(await ids(`?after=${encodeURIComponent(roof1)}`)).toEqual([roof2, bare1])
    expect(await ids('?after=urn:z')).toEqual([])
  })

  test('of another account has the devices of that account', async () => {
    const response = await server.get('/v1/devices', await server.userToken(rival))
    expect(((await response.json()) as DeviceList).data.map(({ deviceId }) => deviceId)).toEqual([rivalRoof1])
  })
})

test('a device that was never used has all fields', async () => {
  expect(await get<Device>(`/v1/devices/${roof2}`)).toEqual({
    deviceId: roof2,
    deviceCreationTimestamp: new Date(server.clock.now()).toISOString(),
    deviceName: 'roof2',
    positionReportMetrics: [],
    relayDetails: null,
    shouldStorePositionReportMetrics: true,
    lastReportAt: null,
    tags: [],
  })
})

describe('recent reports', () => {
  test('are listed newest first, as submitted, with the time of reception', async () => {
    const sensor = { id: 'roof1', new: [1] }
    const submitted = aReport({
      sensor,
      positions: [aPosition({ id: 'b', own: { x: -0.5 } })],
    })
    await report('a')
    await server.post('/v1/position-reports', await server.deviceToken(), submitted)
    await server.processed()

    const { data } = await recent()
    expect(data[0]).toEqual({
      receivedTimeStamp: new Date(server.clock.now()).toISOString(),
      ...submitted,
      tags: expect.arrayContaining(['not-mapped']),
    })
    expect(data[1]?.positions[0]?.id).toBe('a')
  })

  test('are cut at the limit, and the answer says so', async () => {
    await report('c', 'd', 'e')
    const cut = await recent('?limit=2')
    expect([idsOf(cut), cut.truncated]).toEqual([['e', 'd'], true])
    const all = await recent()
    expect([idsOf(all), all.truncated]).toEqual([['e', 'd', 'c', 'b', 'a'], undefined])
  })

  test('are read in pages: next says where the following page starts', async () => {
    const first = await recent('?limit=2')
    const second = await recent(`?limit=2&after=${first.next}`)
    const third = await recent(`?limit=2&after=${second.next}`)
    expect([first, second, third].map(idsOf)).toEqual([['e', 'd'], ['c', 'b'], ['a']])
    expect([second.truncated, third.truncated, third.next]).toEqual([true, undefined, undefined])
    const refused = await server.get(`/v1/devices/${roof1}/recent?after=yesterday`, await server.userToken())
    expect(refused.status).toBe(400)
  })

  test('have the headers of the list, and no body, in the answer to HEAD', async () => {
    const headers = { authorization: `Bearer ${await server.userToken()}` }
    const path = `/v1/devices/${roof1}/recent`
    // More than may be read at once: each of them ends its reading.
    for (let n = 0; n < 20; n++) {
      const response = await server.fetch(path, { method: 'HEAD', headers })
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  test('are counted per minute', async () => {
    const { positionReportMetrics } = await get<Device>(`/v1/devices/${roof1}`)
    const counts = positionReportMetrics?.map(({ reports, positions }) => [reports, positions])
    expect(counts).toEqual([[5, 5]])
  })

  test('are not stored while the flag is off', async () => {
    expect(await toggle()).toBe(false)
    await report('unseen')
    expect(await toggle()).toBe(true)
    await report('seen')
    expect(idsOf(await recent('?limit=2'))).toEqual(['seen', 'e'])
  })

  test('are limited in number', async () => {
    await report(...Array.from({ length: 25 }, (_, n) => `n${n}`))
    const all = await recent()
    expect([all.data.length, idsOf(all)[0], all.truncated]).toEqual([20, 'n24', true])
  })

  test('keep what was submitted, but not members with the names of the service', async () => {
    const text =
      '{"tags":["own"],"positions":[],"receivedTimeStamp":1,"__proto__":{"x":1},"n":1.50,"positions":POSITIONS} \n'
    const sent = text.replace('POSITIONS', JSON.stringify([aPosition({ id: 'raw' })]))
    expect((await server.post('/v1/position-reports', await server.deviceToken(), sent)).status).toBe(202)
    await server.processed()
    const response = await server.get(`/v1/devices/${roof1}/recent?limit=1`, await server.userToken())
    const answer = await response.text()
    expect(answer).toContain('"__proto__":{"x":1},"n":1.5,')
    expect(JSON.parse(answer).data[0]).toMatchObject({
      receivedTimeStamp: new Date(server.clock.now()).toISOString(),
      positions: [{ id: 'raw' }],
      tags: expect.arrayContaining(['not-mapped']),
    })
  })

  test('end with the metric window', async () => {
    server.clock.leap(3_600_001)
    const response = await server.get(`/v1/devices/${roof1}/recent`, await server.userToken())
    expect(await response.json()).toEqual({ data: [] })
  })
})

describe('the storage flag', () => {
  test('is toggled, and the answer is the new value', async () => {
    const before = (await get<Device>(`/v1/devices/${roof2}`)).shouldStorePositionReportMetrics
    expect(await toggle(roof2)).toBe(!before)
    expect((await get<Device>(`/v1/devices/${roof2}`)).shouldStorePositionReportMetrics).toBe(!before)
    expect(await toggle(roof2)).toBe(before)
  })

  test('has the other value after 101 concurrent toggles', async () => {
    const before = (await get<Device>(`/v1/devices/${roof2}`)).shouldStorePositionReportMetrics
    const answers = await Promise.all(Array.from({ length: 101 }, () => toggle(roof2)))
    expect(answers.filter((answer) => answer !== before)).toHaveLength(51)
    expect((await get<Device>(`/v1/devices/${roof2}`)).shouldStorePositionReportMetrics).toBe(!before)
  })
})

describe("another account's device", () => {
  const unknown = 'urn:aa:device:rival:nobody'
  const requests: [string, 'GET' | 'POST' | 'PATCH', string, object | undefined][] = [
    ['read', 'GET', '', undefined],
    ['renamed', 'PATCH', '', { deviceName: 'Mine' }],
    ['its recent reports', 'GET', '/recent', undefined],
    ['toggled', 'POST', '/toggle-storing-position-reports', undefined],
    ['given a relay', 'POST', '/relay', { url: 'https://relay.example.net/', state: 2 }],
    ['sent a test message', 'POST', '/relay/test-message', undefined],
    ['its deliveries', 'GET', '/deliveries', undefined],
    ['one of its deliveries', 'GET', '/deliveries/dl_1', undefined],
    ['resent a delivery', 'POST', '/deliveries/dl_1/resend', undefined],
    ['its tokens revoked', 'POST', '/revoke-tokens', undefined],
  ]

  test.each(requests)('answers 404 like an unknown device: %s', async (_what, method, path, body) => {
    const authorization = `Bearer ${await server.userToken()}`
    const ask = async (urn: string, shown = urn) => {
      const response = await server.fetch(`/v1/devices/${urn}${path}`, {
        method,
        headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      return [response.status, (await response.text()).replaceAll(shown, 'URN')]
    }
    const nobody = await ask(unknown)
    expect(nobody[0]).toBe(404)
    expect(await ask(rivalRoof1)).toEqual(nobody)
    expect((await ask(encodeURIComponent(rivalRoof1)))[0]).toBe(404)
    expect(await ask(encodeURIComponent(rivalRoof1), rivalRoof1)).toEqual(nobody)
    const otherCase = rivalRoof1.replace('rival', 'Rival')
    expect(await ask(otherCase)).toEqual(nobody)
  })

  test.each([roof1.toUpperCase().replace('URN:AA:DEVICE', 'urn:aa:device'), roof1.replace('roof1', 'ROOF1')])(
    'answers like a URN in another letter case: %s',
    async (urn) => {
      expect((await server.get(`/v1/devices/${urn}`, await server.userToken())).status).toBe(404)
    },
  )
})

test('a user token without the scope gets 403, a device token 401', async () => {
  expect((await server.get('/v1/devices', await server.userToken(undefined, 'profile'))).status).toBe(403)
  expect((await server.get('/v1/devices', await server.deviceToken())).status).toBe(401)
})
