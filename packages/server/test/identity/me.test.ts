import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, rival, type ServerUnderTest } from '../a-server.ts'
import { pilot } from './an-identity.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

test('the answer has the name and the account of the user whose token it is', async () => {
  const token = await server.userToken()
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

  expect(await (await server.get('/v1/me', token)).json()).toEqual({
    userId: sub,
    userName: pilot.email,
    accountId: 'acme',
    accountName: 'Acme Sensing',
  })
  expect(await (await server.get('/v1/me', await server.userToken(rival))).json()).toMatchObject({
    userName: rival.email,
    accountName: 'Other Sensing',
  })
})

test("a device's token, a token without the scope, and none are refused", async () => {
  expect((await server.get('/v1/me', await server.deviceToken())).status).toBe(401)
  expect((await server.get('/v1/me', await server.userToken(pilot, 'profile'))).status).toBe(403)
  expect((await server.fetch('/v1/me')).status).toBe(401)
})
