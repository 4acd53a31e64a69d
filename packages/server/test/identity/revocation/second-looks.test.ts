/**
 * What is granted while something ends: each test does one thing between two steps of another request, on every
 * storage.
 */
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/errors.ts'
import type { Directory } from '../../../src/ports/storage/directory.ts'
import type { Store } from '../../../src/ports/storage/store.ts'
import { aBrowser, serve } from '../a-browser.ts'
import { anIdentity, fleetCredentials, type OpenIdentityStorage, pilot, type TestIdentity } from '../an-identity.ts'
import { codeRequest, deviceTokens, pairedTokens, refreshOf, stateOf } from '../issued-tokens.ts'
import { storages } from '../stores.ts'

type Meanwhile = () => Promise<unknown>

/**
 * An identity provider and a browser that is signed in. `between` sets what happens once, just before or after a call
 * of the storage: `before remove consent`, `after get code:`.
 */
async function aVisit(open: OpenIdentityStorage) {
  let hook: { moment: string; meanwhile: Meanwhile } | undefined
  async function reach(moment: string): Promise<void> {
    if (hook === undefined || !moment.startsWith(hook.moment)) return
    const { meanwhile } = hook
    hook = undefined
    await meanwhile()
  }
  const identity = await anIdentity({
    async open(options) {
      const storage = await open(options)
      return { ...storage, directory: watched(storage.directory, reach) }
    },
    wrapStore: (store) => watched(store, reach),
  })
  const browser = aBrowser(await serve(identity))
  await browser.openAccount()
  return { identity, browser, between: (moment: string, meanwhile: Meanwhile) => void (hook = { moment, meanwhile }) }
}

/** Calls `reach` before and after each call, with the method and the first argument. */
function watched<P extends Store | Directory>(port: P, reach: (moment: string) => Promise<void>): P {
  const calls = Object.entries(port).map(([method, run]) => [
    method,
    async (...args: unknown[]) => {
      await reach(`before ${method} ${args[0]}`)
      const answer = await run(...args)
      await reach(`after ${method} ${args[0]}`)
      return answer
    },
  ])
  return Object.fromEntries(calls)
}

/** Approves in this browser, and redeems the code. */
async function granted(identity: TestIdentity, browser: ReturnType<typeof aBrowser>) {
  const callback = await browser.approve()
  const { status, body } = await identity.token(codeRequest(callback.searchParams.get('code') ?? ''))
  expect(status).toBe(200)
  return { audience: 'user' as const, accessToken: body.access_token ?? '', refreshToken: body.refresh_token ?? '' }
}

describe.each(storages)('on $name', ({ open }) => {
  test.each<[string, (identity: TestIdentity) => Promise<unknown>]>([
    ['is revoked with its user', (identity) => identity.end({ kind: 'user', userId: pilot.id })],
    ['ends in another tab', (identity) => identity.store.delete(`sessions:${pilot.id}`)],
    [
      'ends because its user was disabled',
      (identity) => identity.directory.update('user', pilot.id, (user) => ({ ...user, disabled: true })),
    ],
  ])('an approval gives no code when the session %s while the approval is processed', async (_how, end) => {
    const { identity, browser, between } = await aVisit(open)
    const page = await browser.authorize()

    between('after replace authorize-decision:', () => end(identity))
    const answer = await browser.press(page, 'Approve')

    expect([answer.status, answer.location]).toEqual([403, undefined])
    expect(await identity.directory.list('consent')).toEqual([])
  })

  test('a withdrawn approval ends what was granted while it was withdrawn', async () => {
    const { identity, browser, between } = await aVisit(open)
    await granted(identity, browser)
    const question = await browser.get('/account/applications/map-view/revoke')
    const meanwhile: Awaited<ReturnType<typeof granted>>[] = []

    between('before remove consent', async () => meanwhile.push(await granted(identity, browser)))
    await browser.press(question, 'Revoke access')

    const [tokens = expect.unreachable()] = meanwhile
    expect(await stateOf(identity, tokens)).toBe('invalid_token')
    expect((await identity.refresh(tokens.refreshToken)).status).toBe(401)
    expect(await identity.directory.list('consent')).toEqual([])
  })

  test('a changed password ends what was granted while it was changed', async () => {
    const { identity, browser, between } = await aVisit(open)
    const account = await browser.get('/account')
    const meanwhile: Awaited<ReturnType<typeof granted>>[] = []

    between('before update user', async () => {
      // The revocation before the change has ended all sessions; the old password is still right.
      const again = aBrowser(await serve(identity))
      await again.openAccount()
      meanwhile.push(await granted(identity, again))
    })
    await browser.press(account, 'Change password', {
      current_password: pilot.password,
      new_password: 'another horse 43',
    })

    const [tokens = expect.unreachable()] = meanwhile
    expect(await stateOf(identity, tokens)).toBe('invalid_token')
    expect((await identity.refresh(tokens.refreshToken)).status).toBe(401)
  })

  test('a code that is redeemed while its approval is withdrawn gives nothing', async () => {
    const { identity, browser, between } = await aVisit(open)
    const callback = await browser.approve()
    const withdraw = () => identity.end({ kind: 'consent', userId: pilot.id, clientId: 'map-view' })

    between('after get code:', withdraw)
    const answer = await identity.token(codeRequest(callback.searchParams.get('code') ?? ''))

    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('a refresh gives nothing when its user is revoked elsewhere while it is processed', async () => {
    const { identity, browser, between } = await aVisit(open)
    const elsewhere = await identity.another()
    const tokens = await granted(identity, browser)

    between('after get refresh-family:', () => elsewhere.end({ kind: 'user', userId: pilot.id }))
    const answer = await identity.refresh(tokens.refreshToken)

    expect(answer.status).toBe(401)
    expect((await identity.refresh(tokens.refreshToken)).status).toBe(401)
  })

  test('a second use of a refresh token gives nothing when its user is revoked elsewhere while it is processed', async () => {
    const { identity, browser, between } = await aVisit(open)
    const elsewhere = await identity.another()
    const tokens = await granted(identity, browser)
    expect((await identity.refresh(tokens.refreshToken)).status).toBe(200)

    between('after get refresh-family:', () => elsewhere.end({ kind: 'user', userId: pilot.id }))

    expect((await identity.refresh(tokens.refreshToken)).status).toBe(401)
  })

  test('a device request gives nothing when the device is revoked and blocked while it is processed', async () => {
    const { identity, between } = await aVisit(open)
    const { id } = identity.roof

    between('after find device', async () => {
      await identity.directory.update('device', id, (device) => ({ ...device, blocked: true }))
      await identity.end({ kind: 'device', deviceUrn: id })
    })

    const request = { grant_type: 'client_credentials', ...fleetCredentials, device_id: 'roof1' }
    expect(await identity.token(request)).toMatchObject({ status: 400 })
  })

  test('a device that was paired again while its token is refreshed gets nothing for the earlier one', async () => {
    const { identity, between } = await aVisit(open)
    const earlier = await pairedTokens(identity)

    between('after replace paired-family:', () => identity.issueDeviceTokens(identity.roof))
    const answer = await refreshOf(identity, earlier)

    expect(answer.status).toBe(401)
  })

  test('a voided family is refused by the feed, here and elsewhere, although its record could not be deleted', async () => {
    const { identity, between } = await aVisit(open)
    const elsewhere = await identity.another()
    const tokens = await deviceTokens(identity)

    between('before replace refresh-family:', async () => {
      throw new ApiError('unavailable', 'The store is away')
    })
    expect((await identity.revoke({ token: tokens.refreshToken, ...fleetCredentials })).status).toBe(503)

    expect((await refreshOf(identity, tokens)).status).toBe(401)
    expect(await stateOf(identity, tokens)).toBe('invalid_token')
    await identity.clock.advance(1_000)
    expect((await refreshOf(elsewhere, tokens)).status).toBe(401)
  })
})
