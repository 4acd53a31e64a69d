/** The lifetimes that docs/firmware.md names are those of a device's tokens. */
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { anIdentity, deviceTokenRequest, fleetCredentials } from '../an-identity.ts'

let page: string

beforeAll(async () => {
  page = await readFile(new URL('../../../../../docs/firmware.md', import.meta.url), 'utf8')
})

test('an access token lives for the hours of the page', async () => {
  const identity = await anIdentity()

  const { body } = await identity.token(deviceTokenRequest)

  expect(body.expires_in).toBe(numberIn("lifetime of a device's access token", /^(\d+) hours/) * 3_600)
})

test('a refresh token may stay unused for the days of the page', async () => {
  const identity = await anIdentity()
  const idleMs = numberIn('lifetime of a refresh token', /^(\d+) days without use/) * 24 * 3_600_000
  const { body } = await identity.token(deviceTokenRequest)

  await identity.clock.advance(idleMs - 1)
  const next = await identity.refresh(body.refresh_token, fleetCredentials)
  await identity.clock.advance(idleMs)

  expect(next.status).toBe(200)
  expect((await identity.refresh(next.body.refresh_token, fleetCredentials)).status).toBe(401)
})

test('a refresh token that was used works for the seconds of the page, once', async () => {
  const graceMs = numberIn('after a refresh', /the old refresh token works for (\d+) s more, once/) * 1_000
  const statusAfter = async (ms: number) => {
    const identity = await anIdentity()
    const { body } = await identity.token(deviceTokenRequest)
    await identity.refresh(body.refresh_token, fleetCredentials)
    await identity.clock.advance(ms)
    return (await identity.refresh(body.refresh_token, fleetCredentials)).status
  }

  expect([await statusAfter(graceMs - 1), await statusAfter(graceMs)]).toEqual([200, 401])
})

/** The number in a row of the table of facts. */
function numberIn(name: string, pattern: RegExp): number {
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} `))
  return Number(pattern.exec(row?.split('|')[2]?.trim() ?? '')?.[1])
}
