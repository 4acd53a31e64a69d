import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aServer, roof1, type ServerUnderTest } from '../a-server.ts'
import { invalidExamples, validExample } from '../example-files.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

interface Refusal {
  code: string
  detail: string
  errors: { pointer: string; code: string; detail: string }[]
}

const operations: Record<string, { path: string; token: () => Promise<string> }> = {
  PositionReport: { path: '/v1/position-reports', token: () => server.deviceToken() },
  RelayUpdate: { path: `/v1/devices/${roof1}/relay`, token: () => server.userToken() },
  PairingRequestCreation: { path: '/v1/pairing-requests', token: () => server.userToken() },
}

describe.each(Object.entries(operations))('%s', (schema, { path, token }) => {
  test.each(invalidExamples(schema))('$name is refused with 400 at "$pointer"', async ({ pointer, text }) => {
    const response = await server.post(path, await token(), text)

    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const { code, detail, errors } = (await response.json()) as Refusal
    expect(code).toBe('invalid_body')
    expect(errors.map((error) => error.pointer)).toContain(pointer)
    // The error is a sentence, without regular expressions and keywords of JSON Schema.
    for (const sentence of [detail, ...errors.map((error) => error.detail)]) {
      expect(sentence).not.toMatch(/\(\?|oneOf|pattern|schema|undefined/)
      expect(sentence.length).toBeLessThan(400)
    }
  })
})

test('the example of a report is accepted', async () => {
  const response = await server.post('/v1/position-reports', await server.deviceToken(), validExample('PositionReport'))
  expect(response.status).toBe(202)
})

test('the example of a relay update is accepted', async () => {
  const inactive = { ...JSON.parse(validExample('RelayUpdate')), state: 2 }
  const response = await server.post(`/v1/devices/${roof1}/relay`, await server.userToken(), inactive)
  expect(response.status).toBe(200)
})

describe.each(['TokenRequest', 'AuthorizationCodeTokenRequest', 'DeviceTokenRequest', 'RefreshTokenRequest'])(
  '%s',
  (schema) => {
    const sendable = invalidExamples(schema).filter(({ text }) =>
      Object.values(JSON.parse(text)).every((value) => typeof value === 'string'),
    )

    test.each(sendable)('$name is refused with 400 in the form of RFC 6749', async ({ text }) => {
      const body = new URLSearchParams(JSON.parse(text))
      const response = await server.fetch('/oauth/v2/token', { method: 'POST', body })

      expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store'])
      const { error, error_description } = (await response.json()) as { error: string; error_description: string }
      expect(['invalid_request', 'unsupported_grant_type', 'invalid_grant']).toContain(error)
      expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    })
  },
)
