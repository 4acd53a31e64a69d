/** Concurrent exchanges of one code or refresh token, on every storage and with two processes: one of them counts. */
import { describe, expect, test } from 'vitest'
import { anIdentity } from '../an-identity.ts'
import { aCode, codeRequest, deviceTokens, stateOf } from '../issued-tokens.ts'
import { storages } from '../stores.ts'

const many = 1_000
/** `pnpm soak --races` sets higher numbers. */
const rounds = Array.from({ length: Number(process.env.SOAK_ROUNDS ?? 2) }, (_, n) => n + 1)
const timeoutMs = 60_000

describe.each(storages)('on $name', ({ open }) => {
  test.each(rounds)(
    'one of 1,000 parallel redemptions of one code gets tokens, round %i',
    async () => {
      const identity = await anIdentity({ open })
      const processes = [identity, await identity.another()] as const
      const code = await aCode(identity)

      const answers = await Promise.all(
        Array.from({ length: many }, (_, n) => processes[n % 2 === 0 ? 0 : 1].token(codeRequest(code))),
      )

      const winners = answers.filter(({ status }) => status === 200)
      expect(winners).toHaveLength(1)
      const losers = answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant')
      expect(losers).toHaveLength(many - 1)
      // The other redemptions were replays: they have ended the winner's tokens.
      const accessToken = winners[0]?.body.access_token ?? ''
      expect((await identity.refresh(winners[0]?.body.refresh_token)).status).toBe(401)
      await identity.clock.advance(1_000)
      for (const process of processes) {
        expect(await stateOf(process, { accessToken, audience: 'user' })).toBe('invalid_token')
      }
    },
    timeoutMs,
  )

  test.each(rounds)(
    '1,000 parallel refreshes with one token give one successor pair, round %i',
    async () => {
      const identity = await anIdentity({ open })
      const processes = [identity, await identity.another()] as const
      const { refreshToken, credentials } = await deviceTokens(identity)

      const answers = await Promise.all(
        Array.from({ length: many }, (_, n) => processes[n % 2 === 0 ? 0 : 1].refresh(refreshToken, credentials)),
      )

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
      expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(1)
      const [{ body } = { body: {} }] = answers as { body: Record<string, string> }[]
      expect(await stateOf(identity, { accessToken: body.access_token ?? '', audience: 'device' })).toBe('valid')
      expect((await identity.refresh(body.refresh_token, credentials)).status).toBe(200)
    },
    timeoutMs,
  )

  test(
    'without a grace period, at most one of 1,000 parallel refreshes wins, and the family ends',
    async () => {
      const identity = await anIdentity({ open, refreshGraceMs: 0 })
      const { refreshToken, credentials } = await deviceTokens(identity)

      const answers = await Promise.all(Array.from({ length: many }, () => identity.refresh(refreshToken, credentials)))

      const winners = answers.filter(({ status }) => status === 200)
      expect(winners).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(many - 1)
      expect((await identity.refresh(winners[0]?.body.refresh_token, credentials)).status).toBe(401)
    },
    timeoutMs,
  )
})
