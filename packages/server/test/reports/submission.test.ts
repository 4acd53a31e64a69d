import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPosition, aReport } from '../a-report.ts'
import { aServer, roof1, roof2, type ServerUnderTest } from '../a-server.ts'

const path = '/v1/position-reports'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

interface Sending {
  token?: string | null
  authorization?: string
  type?: string | null
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** Sends a valid report with a valid token, except for the properties that the test gives. */
async function send({ token, authorization, type = 'application/json', headers = {}, body }: Sending = {}) {
  const bearer = token === null ? undefined : `Bearer ${token ?? (await server.deviceToken())}`
  const sent = body ?? JSON.stringify(aReport())
  return server.fetch(path, {
    method: 'POST',
    headers: {
      ...((authorization ?? bearer) && { authorization: authorization ?? bearer }),
      ...(type !== null && { 'content-type': type }),
      ...headers,
    },
    // Bytes, because fetch sets a Content-Type for a string.
    body: typeof sent === 'string' ? new TextEncoder().encode(sent) : sent,
  })
}

async function problemOf(response: { json(): Promise<unknown> }) {
  return (await response.json()) as { code: string; detail: string; errors?: { pointer: string; detail: string }[] }
}

const scopeless = () => server.deviceToken('scopeless', 'bare1')
const otherSensor = JSON.stringify(aReport({ sensor: { id: 'roof2' } }))

test('an accepted report is answered with 202 and no body', async () => {
  const response = await send()
  expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([202, '', null])
})

test.each(['roof1', roof1])('a report may name its sensor "%s"', async (id) => {
  expect((await send({ body: JSON.stringify(aReport({ sensor: { id } })) })).status).toBe(202)
})

describe('a request with several mistakes', () => {
  test('is refused with 401 for a missing token, even if the type and the body are wrong', async () => {
    expect((await send({ token: null, type: 'text/plain', body: '{' })).status).toBe(401)
  })

  test('is refused with 401 for a missing token, even if the body is too large', async () => {
    expect((await send({ token: null, body: new Uint8Array(1024 * 1024 + 1) })).status).toBe(401)
  })

  test('is refused with 403 for a missing scope, even if the type is wrong', async () => {
    expect((await send({ token: await scopeless(), type: 'text/plain' })).status).toBe(403)
  })

  test('is refused with 403 for a missing scope, even if the body is not JSON', async () => {
    expect((await send({ token: await scopeless(), body: '{' })).status).toBe(403)
  })

  test('is refused with 400 for an invalid body, even if it names another sensor', async () => {
    const response = await send({ body: JSON.stringify({ sensor: { id: 'roof2' }, positions: [] }) })
    expect(response.status).toBe(400)
  })
})

test('a report whose only mistake is another sensor is refused with 403 sensor_mismatch', async () => {
  const response = await send({ body: otherSensor })
  expect(response.status).toBe(403)
  const problem = await problemOf(response)
  expect([problem.code, problem.errors?.map(({ pointer }) => pointer)]).toEqual(['sensor_mismatch', ['/sensor/id']])
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
})

test('a sensor of another account with the same local ID is another sensor', async () => {
  const response = await server.post(
    path,
    await server.deviceToken('rival', 'roof1'),
    aReport({ sensor: { id: roof1 } }),
  )
  expect(response.status).toBe(403)
})

describe('a token', () => {
  test('that is missing is refused with 401', async () => {
    const response = await send({ token: null })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  test.each(['Basic cm9vZjE6cm9vZjE=', 'Bearer', 'Bearer a b', 'bearer', 'Token x', 'Bearer ü'])(
    'sent as "%s" is refused with 401',
    async (authorization) => {
      const response = await send({ authorization })
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Bearer/),
      ])
    },
  )

  test('that cannot be read is refused with 401 invalid_token', async () => {
    const response = await send({ token: 'garbage' })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
  })

  test('of a user is refused with 401, and the error names the kind that is required', async () => {
    const response = await send({ token: await server.userToken() })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({
      detail: 'This operation takes a device token, and this is a user token',
    })
  })

  test('with its scheme in lower case is accepted', async () => {
    expect((await send({ authorization: `bearer ${await server.deviceToken()}` })).status).toBe(202)
  })

  test('without the scope is refused with 403, and the error names the scope', async () => {
    const response = await send({ token: await scopeless() })
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="surveillance_api"')
  })

  test('of a device is refused with 401 when a user is required', async () => {
    expect((await server.get('/v1/devices', await server.deviceToken())).status).toBe(401)
  })

  test('that has expired is refused with 401', async () => {
    const own = await aServer()
    try {
      const token = await own.deviceToken()
      own.clock.leap(24 * 3_600_000 - 1_000)
      const before = await own.post(path, token, aReport())
      own.clock.leap(1_000)
      const after = await own.post(path, token, aReport())

      expect([before.status, after.status]).toEqual([202, 401])
    } finally {
      await own.stop()
    }
  })
})

describe('a body with a Content-Encoding', () => {
  const json = JSON.stringify(aReport())
  const encoded = (encoding: string, body: Uint8Array) => send({ headers: { 'content-encoding': encoding }, body })

  test('of gzip, deflate or br is decompressed', async () => {
    expect((await encoded('gzip', gzipSync(json))).status).toBe(202)
    expect((await encoded('deflate', deflateSync(json))).status).toBe(202)
    expect((await encoded('br', brotliCompressSync(json))).status).toBe(202)
    expect((await encoded('identity', Buffer.from(json))).status).toBe(202)
  })

  test('of another kind is refused with 415, and the error names the supported ones', async () => {
    for (const [encoding, body] of [
      ['zstd', zstdCompressSync(json)],
      ['compress', Buffer.from(json)],
      ['gzip, gzip', gzipSync(gzipSync(json))],
    ] as const) {
      const response = await encoded(encoding, body)
      expect([encoding, response.status]).toEqual([encoding, 415])
      expect((await problemOf(response)).detail).toContain('gzip, deflate, br')
    }
  })

  test('is refused with 413 if it has more than 1 MiB after decompression', async () => {
    const bomb = Buffer.alloc(20 * 1024 * 1024, ' ')
    expect((await encoded('gzip', gzipSync(bomb))).status).toBe(413)
    expect((await encoded('br', brotliCompressSync(bomb))).status).toBe(413)
    expect((await encoded('deflate', deflateSync(bomb))).status).toBe(413)
  })

  test('is refused with 400 if it cannot be decompressed', async () => {
    const broken = [
      ['gzip', Buffer.from(json)],
      ['gzip', gzipSync(json).subarray(0, -12)],
      ['deflate', Buffer.from(json)],
      ['br', Buffer.from(json)],
    ] as const
    for (const [encoding, body] of broken) {
      const response = await encoded(encoding, body)
      expect([encoding, response.status]).toEqual([encoding, 400])
      const { code, detail } = await problemOf(response)
      expect([code, detail]).toEqual(['invalid_body', expect.stringContaining('could not be decompressed')])
    }
  })
})

describe('a Content-Type', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    'application/json;',
  ])('"%s" is accepted', async (type) => {
    expect((await send({ type })).status).toBe(202)
  })

  test.each([
    null,
    'text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; boundary=x',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    `application/json${';'.repeat(4_000)}`,
  ])('"%s" is refused with 415, and the error names the right one', async (type) => {
    const response = await send({ type })
    expect(response.status).toBe(415)
    expect((await problemOf(response)).detail).toContain('application/json')
  })
})

describe('a body', () => {
  const wrapped = (additionalInfo: string) =>
    `{"positions":[{"id":"1","sourceTimeStamp":"2026-01-07T12:00:30Z","position":{"lat":1,"lon":2},"additionalInfo":${additionalInfo}}]}`
  /** The report is level 1, `additionalInfo` itself level 4. */
  const nested = (depth: number) => wrapped(`{"a":${'['.repeat(depth - 4)}${']'.repeat(depth - 4)}}`)

  test('nested 32 levels deep is accepted, and one with 33 levels is refused with 400', async () => {
    expect((await send({ body: nested(32) })).status).toBe(202)
    const response = await send({ body: nested(33) })
    expect([response.status, (await problemOf(response)).detail]).toEqual([400, expect.stringContaining('32 levels')])
  })

  test('may have any number of brackets in its strings', async () => {
    expect((await send({ body: wrapped(JSON.stringify({ note: `${'[{'.repeat(100)}\\"` })) })).status).toBe(202)
  })

  test('of 500,000 opening brackets is refused with 400', async () => {
    expect((await send({ body: '['.repeat(500_000) })).status).toBe(400)
  })

  test('of 1 MiB is accepted, and a larger one is refused with 413', async () => {
    const padded = (bytes: number) => JSON.stringify(aReport()).padEnd(bytes)
    expect((await send({ body: padded(1024 * 1024) })).status).toBe(202)
    expect((await send({ body: padded(1024 * 1024 + 1) })).status).toBe(413)
  })

  test.each(['NaN', 'Infinity', '-Infinity', '0x10', '+5', '.5', '5.', '01', "'1'", 'undefined', '1_000'])(
    'with %s for a number is refused with 400',
    async (number) => {
      const response = await send({ body: JSON.stringify(aReport()).replace('60.31721', number) })
      expect(response.status).toBe(400)
      expect((await problemOf(response)).detail).toMatch(/^The body is not JSON: /)
    },
  )

  test.each([
    ['that is empty', ''],
    ['that is truncated', JSON.stringify(aReport()).slice(0, -3)],
    ['of two documents', `${JSON.stringify(aReport())}${JSON.stringify(aReport())}`],
    ['with a comment', `${JSON.stringify(aReport())}//`],
    ['with a control character in a string', wrapped('{"a":"\u0001"}')],
    ['with a bad escape', wrapped('{"a":"\\x41"}')],
    ['with a trailing comma', '{"positions":[],}'],
    ['of white space', ' \n '],
  ])('%s is refused with 400', async (_kind, body) => {
    const response = await send({ body })
    expect([response.status, (await problemOf(response)).code]).toEqual([400, 'invalid_body'])
  })

  test('that is missing is refused with 400', async () => {
    const response = await server.fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${await server.deviceToken()}`, 'content-type': 'application/json' },
    })
    expect([response.status, (await problemOf(response)).code]).toEqual([400, 'invalid_body'])
  })

  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['Latin-1', [0xe4]],
  ])('that is not UTF-8 (%s) is refused with 400', async (_kind, bytes) => {
    const [before = '', after = ''] = wrapped('{"a":"HERE"}').split('HERE')
    const response = await send({ body: Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]) })
    expect([response.status, (await problemOf(response)).detail]).toEqual([400, expect.stringContaining('UTF-8')])
  })

  test('with many mistakes gets an error that names the first one', async () => {
    const response = await send({ body: JSON.stringify({ positions: Array(1_000).fill({ id: 5 }) }) })
    const { errors = [] } = await problemOf(response)
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/positions/0/sourceTimeStamp'])
  })
})

describe('the error names a likely mistake', () => {
  const position = (members: object) => JSON.stringify({ positions: [{ ...aPosition(), ...members }] })

  test('such as "lng" for "lon"', async () => {
    const problem = await problemOf(await send({ body: position({ position: { lat: 1, lng: 2 } }) }))
    expect(problem.detail).toBe('"/positions/0/position/lon" is missing; did you mean "lon" where it says "lng"?')
  })

  test('such as an id inside "position"', async () => {
    const body = JSON.stringify({
      positions: [{ sourceTimeStamp: '2026-01-07T12:00:30Z', position: { id: '1', lat: 1, lon: 2 } }],
    })
    expect((await problemOf(await send({ body }))).detail).toContain('it stands inside "position"')
  })
})

describe('the recent reports of a device', () => {
  interface Recent {
    data: { receivedTimeStamp: string; positions: object[]; sensor?: object; tags: string[] }[]
  }

  async function recentOf(device: string): Promise<string> {
    await server.processed()
    return (await server.get(`/v1/devices/${device}/recent`, await server.userToken())).text()
  }

  test('do not contain a refused report', async () => {
    const token = await server.deviceToken('fleet', 'roof2')
    const good = aPosition()
    await server.post(path, token, { positions: [good, { ...good, id: '' }] })
    await server.post(path, token, aReport({ sensor: { id: 'roof1' } }))

    expect((JSON.parse(await recentOf(roof2)) as Recent).data).toEqual([])
  })

  test('contain unknown members and __proto__ as plain data', async () => {
    const token = await server.deviceToken('fleet', 'roof2')
    const text =
      '{"positions":[{"id":"p","sourceTimeStamp":"2026-01-07T12:00:30Z","position":{"lat":1,"lon":2,"__proto__":{"x":1}},' +
      '"__proto__":{"polluted":true},"additionalInfo":{"constructor":{"prototype":{}},"toString":"<b>\\u0000"}}],"__proto__":[1],"new":{}}'
    expect((await server.post(path, token, text)).status).toBe(202)

    const recent = await recentOf(roof2)
    expect(recent).toContain('"position":{"lat":1,"lon":2,"__proto__":{"x":1}},"__proto__":{"polluted":true}')
    expect(recent).toContain('"toString":"<b>\\u0000"')
    expect(recent).toContain('"__proto__":[1],"new":{}')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('contain the last of two members with the same name', async () => {
    const token = await server.deviceToken('fleet', 'roof2')
    const text = JSON.stringify(aReport()).replace('"lat":60.31721', '"lat":"no","lat":7')
    expect((await server.post(path, token, text)).status).toBe(202)

    expect(await recentOf(roof2)).toContain('"position":{"lat":7,')
  })
})
