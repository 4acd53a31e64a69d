/** Two server processes on one Redis: what one process issues, redeems and revokes is effective at the other. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentTimeMs, until } from '../../testing/real-time.ts'
import { type RedisProcess, startRedis } from '../parts/redis-process.ts'
import { describeWith } from '../parts/requirements.ts'
import { fleet, mapView, pilot, redirectUri, seed } from '../parts/seed.ts'
import {
  aServerLocation,
  type ServerLocation,
  type ServerProcess,
  startCommand,
  startServer,
} from '../parts/server-process.ts'
import { signInAndApprove } from '../parts/sign-in.ts'
import { trust } from '../parts/trust.ts'

interface Tokens {
  access_token: string
  refresh_token: string
}

interface Answer {
  status: number
  body: Tokens & { error?: string }
}

const many = 200

describeWith('redis-server', 'a deployment of two processes')('two processes on one Redis', () => {
  let redis: RedisProcess
  let locations: [ServerLocation, ServerLocation]
  let servers: ServerProcess[] = []
  let processes: [first: string, second: string]

  beforeAll(async () => {
    redis = await startRedis()
    locations = [await aServerLocation(seed), await aServerLocation()]
    processes = [`https://localhost:${locations[0].port}`, `https://localhost:${locations[1].port}`]
    const shared = ['--redis', redis.url, ...['auth', 'ingest', 'ui'].flatMap((of) => [`--${of}-origin`, processes[0]])]
    servers = [await startServer(locations[0], ...shared, '--seed', `${locations[0].folder}/seed.json`)]
    servers.push(await startServer(locations[1], ...shared))
    for (const { certificate } of servers) trust(certificate.ca)
  })
  afterAll(async () => {
    redis.resume()
    await Promise.all(servers.map((server) => server.kill()))
    await redis.stop()
    await Promise.all(locations.map((location) => location.remove()))
  })

  async function post(origin: string, path: 'token' | 'revoke', fields: Record<string, string>): Promise<Answer> {
    const response = await fetch(`${origin}/oauth/v2/${path}`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, client_id: mapView.id, client_secret: mapView.secret }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }

  async function aCode(): Promise<string> {
    const query = { client_id: mapView.id, response_type: 'code', redirect_uri: redirectUri, scope: 'surveillance_api' }
    const url = `${processes[0]}/oauth/v2/authorize?${new URLSearchParams({ ...query, state: 's1' })}`
    return new URL(await signInAndApprove({ url }, pilot, redirectUri)).searchParams.get('code') ?? ''
  }

  function redeem(origin: string, code: string): Promise<Answer> {
    return post(origin, 'token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri })
  }

  function refresh(origin: string, { refresh_token }: Tokens): Promise<Answer> {
    return post(origin, 'token', { grant_type: 'refresh_token', refresh_token })
  }

  async function someTokens(origin: string = processes[0]): Promise<Tokens> {
    const { status, body } = await redeem(origin, await aCode())
    expect(status).toBe(200)
    return body
  }

  async function statusAt(origin: string, { access_token }: Tokens): Promise<number> {
    const response = await fetch(`${origin}/v1/devices`, { headers: { authorization: `Bearer ${access_token}` } })
    await response.body?.cancel()
    return response.status
  }

  function statuses(tokens: Tokens): Promise<number[]> {
    return Promise.all(processes.map((origin) => statusAt(origin, tokens)))
  }

  /** Sends the same request concurrently, half of them to each process. */
  function spread(request: (origin: string) => Promise<Answer>): Promise<Answer[]> {
    return Promise.all(Array.from({ length: many }, (_, n) => request(processes[n % 2 === 0 ? 0 : 1])))
  }

  test('tokens and codes of one process are valid at the other', async () => {
    const [first, second] = [await someTokens(processes[0]), await someTokens(processes[1])]

    expect(await statuses(first)).toEqual([200, 200])
    expect(await statuses(second)).toEqual([200, 200])
    expect((await refresh(processes[1], first)).status).toBe(200)
    expect((await refresh(processes[0], second)).status).toBe(200)
  })

  test('one of 200 concurrent redemptions of a code at both succeeds, and the replays revoke its tokens', async () => {
    const code = await aCode()

    const answers = await spread((origin) => redeem(origin, code))

    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant')).toHaveLength(
      many - 1,
    )
    const body = firstBody(winners)
    await until('both refuse it', async () => (await statuses(body)).every((status) => status === 401))
    expect((await refresh(processes[0], body)).status).toBe(401)
  })

  test('200 concurrent refreshes with one token at both return the same new tokens', async () => {
    const tokens = await someTokens()

    const answers = await spread((origin) => refresh(origin, tokens))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size).toBe(1)
    const body = firstBody(answers)
    expect(await statuses(body)).toEqual([200, 200])
    expect((await refresh(processes[1], body)).status).toBe(200)
  })

  test('a token revoked at one is refused at the other', async () => {
    const tokens = await someTokens()
    expect(await statuses(tokens)).toEqual([200, 200])

    expect((await post(processes[0], 'revoke', { token: tokens.refresh_token })).status).toBe(200)

    expect(await statusAt(processes[0], tokens)).toBe(401)
    await until('the other refuses it', async () => (await statusAt(processes[1], tokens)) === 401)
    expect((await refresh(processes[1], tokens)).status).toBe(401)
  })

  test('without Redis both refuse a revoked token and never accept it again; with Redis both serve again', async () => {
    const [revoked, good] = [await someTokens(), await someTokens()]
    expect([await statuses(revoked), await statuses(good)]).toEqual([
      [200, 200],
      [200, 200],
    ])

    // The other process may not know the revocation when Redis stops answering.
    expect((await post(processes[0], 'revoke', { token: revoked.refresh_token })).status).toBe(200)
    await redis.hang()
    const afterwards = await Promise.all(
      processes.map(async (origin) => {
        await until('it refuses the token', async () => (await statusAt(origin, revoked)) !== 200)
        const seen = new Set<number>()
        for (let again = 0; again < 50; again++) seen.add(await statusAt(origin, revoked))
        return seen
      }),
    )

    for (const seen of afterwards) expect([...seen].filter((status) => status !== 401 && status !== 503)).toEqual([])
    // Without Redis, tokens that are not revoked are refused, too.
    expect(await statuses(good)).toEqual([503, 503])
    redis.resume()
    await until('both serve again', async () => (await statuses(good)).every((status) => status === 200))
    expect(await statuses(revoked)).toEqual([401, 401])
    expect((await refresh(processes[0], good)).status).toBe(200)
  })

  test('reports tail prints what every process accepts, until Ctrl+C', async () => {
    const tail = startCommand(['reports', 'tail', '--device', 'roof1', '--json', '--redis', redis.url])
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: fleet.id,
      client_secret: fleet.secret,
      scope: 'surveillance_api',
      token_format: 'jwt',
      device_id: 'roof1',
    })
    const answer = await fetch(`${processes[0]}/oauth/v2/token`, { method: 'POST', body })
    const { access_token } = await answer.json()
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const send = (origin: string, id: string) => {
      const positions = [
        { id, sourceTimeStamp: new Date(currentTimeMs()).toISOString(), position: { lat: 60, lon: 25 } },
      ]
      return fetch(`${origin}/v1/position-reports`, { method: 'POST', headers, body: JSON.stringify({ positions }) })
    }
    let sent = 0
    await until('it has reports of both processes', async () => {
      for (const origin of processes) expect((await send(origin, `p${sent++} of ${origin}`)).status).toBe(202)
      return processes.every((origin) => tail.output().includes(`of ${origin}"`))
    })

    expect(await tail.interrupt()).toBe(0)
  })
})

function firstBody([first]: Answer[]): Tokens {
  if (!first) throw new Error('No answer')
  return first.body
}
