import type { Device } from '@posrep/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, roof1, type ServerUnderTest } from '../../a-server.ts'
import { aRelay } from '../a-relay.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer({ flags: { 'allow-private-relays': true } })
})
afterAll(() => server.stop())

const change = async (url: string) =>
  server.post(`/v1/devices/${roof1}/relay/change-address`, await server.userToken(), { url })

async function relayOf() {
  return ((await (await server.get(`/v1/devices/${roof1}`, await server.userToken())).json()) as Device).relayDetails
}

test('an address that returns the code becomes the relay, and one that does not changes nothing', async () => {
  const local = { name: 'localhost' }
  const good = await aRelay(
    server.certificate,
    (_request, response, body) => response.end(JSON.parse(body).validationCode),
    local,
  )
  const broken = await aRelay(server.certificate, (_request, response) => response.writeHead(500).end(), local)

  expect((await change(good.url.href)).status).toBe(200)
  const refused = await change(broken.url.href)

  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({
    code: 'relay_not_validated',
    detail: 'The relay answered the validation with 500',
  })
  expect(await relayOf()).toEqual({ url: good.url.href, state: 'Active', failureDescription: null })
})

test('the reason says that nothing listens at the address', async () => {
  const refused = await change('https://localhost:1/')
  expect(await refused.json()).toMatchObject({
    detail: 'The relay refused the connection: nothing listens at this host and port',
  })
})
