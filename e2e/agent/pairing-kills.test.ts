/**
 * Sensors that fetch their tokens while a process is killed, also between the claim of a pairing request and its
 * answer. In each case tokens are issued at most once per press of Pair, and Pair can be pressed again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@posrep/client-sdk'
import type { PairingToken } from '@posrep/spec'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aUser } from '../parts/a-user.ts'
import { describeWith } from '../parts/requirements.ts'
import { deviceUrnOf, someLocalIds } from '../parts/seed.ts'
import { trust } from '../parts/trust.ts'
import { aDeployment, type Deployment } from '../soak/deployment.ts'
import { createRandom } from '../soak/random.ts'

const sensors = someLocalIds(12)
const rounds = 3
/** Concurrent requests of one sensor; more than five in a second would be answered 429. */
const calls = 3

interface Asked {
  /** `undefined` if the connection ended first. */
  status: number | undefined
  tokens: PairingToken | undefined
}

async function ask(origin: string, localId: string): Promise<Asked> {
  try {
    const response = await fetch(`${origin}/v1/pairing-tokens/consume-token?clientUniqueId=${localId}`, {
      method: 'POST',
    })
    const text = await response.text()
    return { status: response.status, tokens: response.status === 200 ? JSON.parse(text) : undefined }
  } catch {
    return { status: undefined, tokens: undefined }
  }
}

/** Repeats the request until the answer is 200 or 404. */
async function askOn(origin: string, localId: string): Promise<Asked> {
  let asked: Asked = await ask(origin, localId)
  await until(`${localId} gets 200 or 404`, async () => {
    if (asked.status === 200 || asked.status === 404) return true
    asked = await ask(origin, localId)
    return false
  })
  return asked
}

async function canRefresh(origin: string, { refreshToken }: PairingToken): Promise<boolean> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'fleet' })
  const response = await fetch(`${origin}/oauth/v2/token`, { method: 'POST', body })
  await response.body?.cancel()
  expect([200, 401]).toContain(response.status)
  return response.status === 200
}

type Kill = (deployment: Deployment) => Promise<void>

/** Presses Pair for each sensor, sends their requests to all processes, kills, and returns what each sensor got. */
async function aRound(deployment: Deployment, user: Client, kill: Kill, delayMs: number | 'first answer') {
  const { origins } = deployment
  for (const localId of sensors) await user.createPairingRequest(deviceUrnOf(localId))
  const first = Promise.withResolvers<void>()
  const asking = sensors.map((localId) =>
    Promise.all(
      Array.from({ length: calls }, async (_, n) => {
        const asked = await ask(origins[n % origins.length] ?? '', localId)
        first.resolve()
        return asked
      }),
    ),
  )
  await (delayMs === 'first answer' ? first.promise : sleep(delayMs))
  await kill(deployment)
  const before = await Promise.all(asking)
  await Promise.all(origins.map((_, index) => deployment.ready(index)))
  const after = await Promise.all(
    sensors.map((localId) => Promise.all(origins.map((origin) => askOn(origin, localId)))),
  )
  return before.map((asked, n) => [...asked, ...(after[n] ?? [])])
}

async function expectTokensOnce(deployment: Deployment, kill: Kill): Promise<void> {
  onTestFinished(() => deployment.remove())
  trust(deployment.first.certificate.ca)
  const [origin = ''] = deployment.origins
  const user = await aUser(deployment.first)
  const random = createRandom(1)
  let got: PairingToken[] = []

  for (let round = 0; round < rounds; round++) {
    const answers = await aRound(deployment, user, kill, round % 2 === 0 ? 'first answer' : random.whole(0, 30))

    for (const [n, asked] of answers.entries()) {
      const given = asked.filter(({ tokens }) => tokens)
      expect(given.length, `answers with tokens for ${sensors[n]} in round ${round}`).toBeLessThanOrEqual(1)
      for (const { status } of asked) expect([200, 404, 429, 503, undefined]).toContain(status)
    }
    const given = answers.flatMap((asked) => asked.flatMap(({ tokens }) => tokens ?? []))
    // A later pairing ends the tokens of an earlier round.
    const again = got.filter(({ clientUniqueId }) => given.some((one) => one.clientUniqueId === clientUniqueId))
    for (const tokens of again) expect(await canRefresh(origin, tokens)).toBe(false)
    got = given
  }

  for (const localId of sensors) {
    await user.createPairingRequest(deviceUrnOf(localId))
    const { tokens } = await askOn(origin, localId)
    expect(tokens && (await canRefresh(origin, tokens)), `${localId} after Pair again`).toBe(true)
  }
  for (const tokens of got) expect(await canRefresh(origin, tokens)).toBe(false)
}

describe('sensors that fetch their tokens', () => {
  test('while the server is killed get them at most once, and again after Pair', async () => {
    const deployment = await aDeployment({ sensors: sensors.length, redis: false })
    await expectTokensOnce(deployment, ({ restart }) => restart(0))
  })
})

describeWith('redis-server', 'pairing while Redis is killed')(
  'sensors that fetch their tokens from two processes',
  () => {
    test('while their Redis is killed get them at most once, and again after Pair', async () => {
      const deployment = await aDeployment({ sensors: sensors.length, redis: true })
      await expectTokensOnce(deployment, async ({ redis }) => {
        await redis?.kill()
        await redis?.restart()
      })
    })

    test('while one of the processes is killed get them at most once, and again after Pair', async () => {
      const deployment = await aDeployment({ sensors: sensors.length, redis: true })
      await expectTokensOnce(deployment, ({ restart }) => restart(1))
    })
  },
)
