/**
 * A user and sensors whose codes, tokens and pairings are used twice, and revoked, while processes and nodes fail.
 * In: the origins of processes that share a storage. Out: what was tried, and one line for each code, token or pairing
 * that was honoured twice, or after its revocation, or that was lost.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { deviceUrnOf, fleet, mapView, pilot, redirectUri } from '../parts/seed.ts'
import { signInAndApprove } from '../parts/sign-in.ts'

export interface SecretsLoad {
  run(stopping: AbortSignal): Promise<void>
  counts: { codes: number; refreshes: number; pairings: number; revocations: number }
  violations: string[]
}

export interface SecretsLoadOptions {
  /** The first one has the pages. */
  origins: string[]
  /** A sensor of the fleet that sends nothing else. */
  localId: string
  /** Sensors that are paired. */
  pairedIds: string[]
}

interface Answered {
  status: number
  text: string
}

/** The service answers within 2.5 s. */
const answerMs = 3_000
/** A revocation is in force in every process after this time. */
const revokedWithinMs = 1_000
const watchedMs = 1_500
/**
 * The service repeats the answer to a used refresh token for 30 s: a client that could not ask for so long signs in
 * again.
 */
const graceMs = 25_000

export function aSecretsLoad({ origins, localId, pairedIds }: SecretsLoadOptions): SecretsLoad {
  const counts = { codes: 0, refreshes: 0, pairings: 0, revocations: 0 }
  const violations: string[] = []

  /** Undefined without an answer. */
  async function post(origin: string, path: string, fields: Record<string, string>): Promise<Answered | undefined> {
    return ask(`${origin}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  }

  async function ask(url: string, init: RequestInit): Promise<Answered | undefined> {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerMs) })
      return { status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }

  async function getCode(): Promise<{ code: string; verifier: string } | undefined> {
    const verifier = randomBytes(32).toString('base64url')
    const url = new URL('/oauth/v2/authorize', origins[0])
    url.search = new URLSearchParams({
      ...{ response_type: 'code', client_id: mapView.id, redirect_uri: redirectUri, scope: 'surveillance_api' },
      ...{ state: 'any', code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    }).toString()
    try {
      const callback = await signInAndApprove({ url: url.href }, pilot, redirectUri)
      return { code: new URL(callback).searchParams.get('code') ?? '', verifier }
    } catch {
      // The process was killed, or a part of the storage is away.
      return undefined
    }
  }

  const redeem = (origin: string, { code, verifier }: { code: string; verifier: string }) =>
    post(origin, '/oauth/v2/token', {
      ...{ grant_type: 'authorization_code', redirect_uri: redirectUri, code, code_verifier: verifier },
      ...{ client_id: mapView.id, client_secret: mapView.secret },
    })

  /** The same code at all processes at once, and again. */
  async function redeemTwice(): Promise<void> {
    const issued = await getCode()
    if (!issued) return
    const answers = []
    for (let turn = 0; turn < 2; turn++)
      answers.push(...(await Promise.all(origins.map((origin) => redeem(origin, issued)))))
    const honoured = answers.filter((answer) => answer?.status === 200).length
    if (honoured > 0) counts.codes++
    if (honoured > 1) violations.push(`a code was honoured ${honoured} times`)
  }

  let refreshToken: string | undefined
  let accessToken: string | undefined
  let askedSinceMs = 0

  /** The same refresh token at all processes at once: those that answer must give the same successor. */
  async function refresh(): Promise<void> {
    if (refreshToken === undefined) {
      const issued = await getCode()
      const answer = issued && (await redeem(origins[0] ?? '', issued))
      if (answer?.status === 200) refreshToken = JSON.parse(answer.text).refresh_token
      askedSinceMs = performance.now()
      return
    }
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const client = { client_id: mapView.id, client_secret: mapView.secret }
    const answers = await Promise.all(
      origins.map((origin) => post(origin, '/oauth/v2/token', { ...fields, ...client })),
    )
    const pairs = answers.flatMap((answer) => (answer?.status === 200 ? [JSON.parse(answer.text)] : []))
    accessToken = pairs[0]?.access_token
    const successors = new Set<string>(pairs.map((pair) => pair.refresh_token))
    if (successors.size > 1) violations.push('a refresh token was honoured twice, with different successors')
    const [successor] = successors
    if (successor !== undefined) {
      counts.refreshes++
      refreshToken = successor
      askedSinceMs = performance.now()
    } else if (answers.some((answer) => answer?.status === 400)) {
      if (performance.now() - askedSinceMs < graceMs)
        violations.push(`a refresh token was lost: ${answers.map((answer) => answer?.text).join(' ')}`)
      refreshToken = undefined
    }
  }

  const pairings = new Set<string>()
  let turnOfPairing = 0

  /** The same sensor asks all processes at once, and again: its pairing request is for one of them. */
  async function pair(): Promise<void> {
    const clientUniqueId = pairedIds[turnOfPairing % pairedIds.length] ?? ''
    const origin = origins[turnOfPairing % origins.length] ?? ''
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ deviceId: deviceUrnOf(clientUniqueId) })
    const started = await ask(`${origin}/v1/pairing-requests`, { method: 'POST', headers, body })
    const consume = `/v1/pairing-tokens/consume-token?${new URLSearchParams({ clientUniqueId })}`
    const answers = []
    for (let turn = 0; turn < 2; turn++)
      answers.push(...(await Promise.all(origins.map((each) => post(each, consume, {})))))
    for (const answer of answers) {
      if (answer?.status !== 200) continue
      const { id } = JSON.parse(answer.text)
      if (pairings.has(id)) violations.push(`the pairing request ${id} was honoured twice`)
      pairings.add(id)
      counts.pairings++
    }
    if (started?.status === 201 && answers.every((answer) => answer?.status === 404))
      violations.push(`the pairing request ${JSON.parse(started.text).id} was lost`)
    // What was not answered may be done later: then it is the turn of another sensor.
    const isClear = [started, ...answers].every((answer) => answer && answer.status !== 503)
    if (!isClear) turnOfPairing++
  }

  /** A token that was revoked is refused by every process that answers, a second later. */
  async function revoke(): Promise<void> {
    const fields = { client_id: fleet.id, client_secret: fleet.secret }
    const grant = { grant_type: 'client_credentials', device_id: localId, ...fields }
    const granted = await anywhere((origin) => post(origin, '/oauth/v2/token', grant))
    if (!granted) return
    const token: string = JSON.parse(granted.text).access_token
    const revoked = await anywhere((origin) => post(origin, '/oauth/v2/revoke', { token, ...fields }))
    if (!revoked) return
    counts.revocations++
    await sleep(revokedWithinMs)
    for (const endsAtMs = performance.now() + watchedMs; performance.now() < endsAtMs; await sleep(100)) {
      for (const [index, answer] of (await Promise.all(origins.map((origin) => useToken(origin, token)))).entries()) {
        if (answer && ![401, 503].includes(answer.status))
          violations.push(`process ${index} answered ${answer.status} to a revoked token`)
      }
    }
  }

  /** Not a report, so that nothing is accepted: a valid token is answered 400. */
  function useToken(origin: string, token: string): Promise<Answered | undefined> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return ask(`${origin}/v1/position-reports`, { method: 'POST', headers, body: '{}' })
  }

  let turn = 0

  /** Asks one process after the other, until one does it. */
  async function anywhere(call: (origin: string) => Promise<Answered | undefined>): Promise<Answered | undefined> {
    turn++
    for (let n = 0; n < origins.length; n++) {
      const answer = await call(origins[(turn + n) % origins.length] ?? '')
      if (answer?.status === 200) return answer
    }
    return undefined
  }

  return {
    counts,
    violations,
    async run(stopping) {
      while (!stopping.aborted) {
        await redeemTwice()
        await refresh()
        await refresh()
        if (accessToken !== undefined) await pair()
        await revoke()
      }
    },
  }
}
