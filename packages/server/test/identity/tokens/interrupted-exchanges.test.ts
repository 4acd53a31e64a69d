/** A process dies during an exchange: its writes stay valid, and there is never a second valid pair. */
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/errors.ts'
import type { Store } from '../../../src/ports/storage/store.ts'
import { anIdentity, type OpenIdentityStorage } from '../an-identity.ts'
import { aCode, codeRequest, deviceTokens, refreshOf } from '../issued-tokens.ts'
import { storages } from '../stores.ts'

/** After `dieNext`, the next write to a key with this prefix is stored, but its caller gets an error. */
async function aProcessThatDies(open: OpenIdentityStorage, method: 'replace' | 'put', prefix: string) {
  let isDying = false
  const wrapStore = (store: Store): Store => ({
    ...store,
    [method]: async (key: string, ...rest: never[]) => {
      // Calls the original `put` or `replace` with its arguments.
      const answer = await (store[method] as (key: string, ...rest: never[]) => Promise<unknown>)(key, ...rest)
      if (!isDying || !key.startsWith(prefix)) return answer
      isDying = false
      throw new ApiError('unavailable', 'The process died here')
    },
  })
  const identity = await anIdentity({ open, wrapStore })
  return { identity, dieNext: () => void (isDying = true) }
}

describe.each(storages)('on $name', ({ open }) => {
  test('a code spent just before a crash stays spent: the user signs in again, and no token of the code is valid', async () => {
    const { identity, dieNext } = await aProcessThatDies(open, 'replace', 'code:')
    const code = await aCode(identity)

    dieNext()
    expect((await identity.token(codeRequest(code))).status).toBe(503)
    expect(await identity.token(codeRequest(code))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await identity.token(codeRequest(await aCode(identity)))).status).toBe(200)
  })

  test('a crash before the code is spent issues nothing, and the code stays valid', async () => {
    const { identity, dieNext } = await aProcessThatDies(open, 'put', 'refresh-family:')
    const code = await aCode(identity)

    dieNext()
    expect((await identity.token(codeRequest(code))).status).toBe(503)
    expect((await identity.token(codeRequest(code))).status).toBe(200)
    expect((await identity.token(codeRequest(code))).status).toBe(400)
  })

  test('a refresh written just before a crash can be repeated with the same token, and the family stays valid', async () => {
    const { identity, dieNext } = await aProcessThatDies(open, 'replace', 'refresh-family:')
    const tokens = await deviceTokens(identity)

    dieNext()
    expect((await refreshOf(identity, tokens)).status).toBe(503)
    const [first, second] = [await refreshOf(identity, tokens), await refreshOf(identity, tokens)]
    expect(first.status).toBe(200)
    expect(second.body).toEqual(first.body)
    const next = { ...tokens, refreshToken: first.body.refresh_token ?? '' }
    expect((await refreshOf(identity, next)).status).toBe(200)
  })
})
