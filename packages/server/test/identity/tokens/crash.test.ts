/** A process that dies in the middle of an exchange: what was written counts, and there is never a second living pair. */
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/errors.ts'
import type { Store } from '../../../src/ports/store.ts'
import { anIdentity, type OpenIdentityStorage } from '../an-identity.ts'
import { aCode, codeRequest, deviceTokens, refreshOf } from '../issued-tokens.ts'
import { storages } from '../stores.ts'

/** What the caller of the next step that `isStruck` names gets is an outage, though the step is done. */
async function aProcessThatDies(open: OpenIdentityStorage, method: 'replace' | 'put', prefix: string) {
  let isDying = false
  const wrapStore = (store: Store): Store => ({
    ...store,
    [method]: async (key: string, ...rest: never[]) => {
      // `put` and `replace` as they are, with what they were given.
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
  test('a code that was spent as the process died is spent: the user signs in again, and nothing of it lives', async () => {
    const { identity, dieNext } = await aProcessThatDies(open, 'replace', 'code:')
    const code = await aCode(identity)

    dieNext()
    expect((await identity.token(codeRequest(code))).status).toBe(503)
    expect(await identity.token(codeRequest(code))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await identity.token(codeRequest(await aCode(identity)))).status).toBe(200)
  })

  test('a process that died before it spent the code has given nothing: the code is good', async () => {
    const { identity, dieNext } = await aProcessThatDies(open, 'put', 'refresh-family:')
    const code = await aCode(identity)

    dieNext()
    expect((await identity.token(codeRequest(code))).status).toBe(503)
    expect((await identity.token(codeRequest(code))).status).toBe(200)
    expect((await identity.token(codeRequest(code))).status).toBe(400)
  })

  test('a refresh that was written as the process died is repeated with the same token, and the family lives on', async () => {
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
