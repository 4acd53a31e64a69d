/**
 * An owner that removes its sensor can leave the local ID to the others at once: through the API, and through the
 * portal.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, rival, type ServerUnderTest, seed } from '../a-server.ts'
import { aPortalVisitor } from '../portal/a-portal-visitor.ts'

let server: ServerUnderTest
beforeAll(async () => {
  const partners = seed.clients.filter(({ id }) => id === 'partner')
  const secret = 's3cret-other-partner'
  const clients = partners.map((client) => ({ ...client, id: 'other-partner', secret, account: 'other' }))
  server = await aServer({ clients })
})
afterAll(() => server.stop())

/** Both accounts have a sensor with this local ID; the one of the visitor was first. Returns the path of its device. */
async function register(localId: string): Promise<string> {
  await server.deviceToken('partner', localId)
  await server.deviceToken('other-partner', localId)
  expect(await pairOther(localId)).toBe(409)
  return `/devices/${encodeURIComponent(`urn:aa:device:partner:${localId}`)}`
}

/** The other account presses Pair. */
async function pairOther(localId: string): Promise<number> {
  const body = { deviceId: `urn:aa:device:other-partner:${localId}` }
  return (await server.post('/v1/pairing-requests', await server.userToken(rival), body)).status
}

test.each([
  ['?releaseLocalId=true', 201],
  ['?releaseLocalId=false', 409],
  ['', 409],
])(
  'after DELETE with the query "%s", pairing a sensor of another account is answered with %d',
  async (query, status) => {
    const localId = `api${query.length}`
    const path = `/v1${await register(localId)}${query}`
    const headers = { authorization: `Bearer ${await server.userToken()}` }
    expect((await server.fetch(path, { method: 'DELETE', headers })).status).toBe(204)

    expect(await pairOther(localId)).toBe(status)
  },
)

test.each([
  ['checked', { release_local_id: 'on' }, 201],
  ['not checked', {}, 409],
])('with the checkbox of the portal %s, pairing a sensor of another account is answered with %s', async (...row) => {
  const [name, typed, status] = row
  const localId = `page${name.length}`
  const visitor = aPortalVisitor(server)
  await visitor.enter()
  const page = await visitor.open(`${await register(localId)}/remove`)
  expect(page.html).toContain('name="release_local_id"')

  const removed = await visitor.press(page, 'Remove device', typed as Record<string, string>)

  expect(removed.html).toContain('was removed')
  expect(await pairOther(localId)).toBe(status)
})
