/**
 * Checks the way to the service: DNS, TLS, whether the service itself answers, and the clock.
 * In: its origin, the CA. Out: checks, the later ones skipped when an earlier one fails.
 */
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { withDeadline } from '@posrep/kernel/with-deadline'
import type { paths } from '@posrep/spec'
import { toUrl } from '../../check-option.ts'
import { describeDuration } from '../../describe-duration.ts'
import { toReason } from '../../errors.ts'
import { type Answer, findProblemOfService, readAnswer } from '../../http/answer.ts'
import { findAdvice } from '../../http/explain-failure.ts'
import { isPage, toForeignAnswer, toWrongAddress } from '../../http/foreign-answer.ts'
import { defaultCas } from '../../network/network.ts'
import { resolveHost } from '../../network/resolve-host.ts'
import { type Clock, type Fetch, systemClock } from '../../ports.ts'
import { findProxy, showProxy } from '../connect/find-proxy.ts'
import { type Check, failed, inTime, ok, skipped, warning } from './check.ts'

const deadlineMs = 10_000
const dnsAdvice = 'check the host name in --ingest'
const tlsAdvice = 'check the network and the port in --ingest'
const answerAdvice = 'the service does not answer; check that it runs'
const proxyAdvice = 'check HTTPS_PROXY and NO_PROXY, and that the proxy lets this machine reach the service'

const reportsPath = '/v1/position-reports' satisfies keyof paths

export interface NetworkTarget {
  ingestOrigin: URL
  ca: string | undefined
  fetch: Fetch
}

export interface NetworkChecks {
  checks: Check[]
  /** Whether anything answered, the service or something else. */
  isAnswered: boolean
}

export async function checkNetwork(target: NetworkTarget, clock: Clock = systemClock): Promise<NetworkChecks> {
  const proxy = findProxy(target.ingestOrigin)
  if (proxy) return checkThroughProxy(target, showProxy(proxy), clock)
  const dns = await inTime('DNS', dnsAdvice, () => checkDns(target.ingestOrigin), clock)
  if (dns.result === 'failed') return notReached([dns], ['TLS', 'service', 'clock'], 'no address')
  const tls = await inTime('TLS', tlsAdvice, () => checkTls(target, clock), clock)
  if (tls.result === 'failed') return notReached([dns, tls], ['service', 'clock'], 'no connection')
  const found = await inTime('service', answerAdvice, () => checkAnswer(target, clock), clock)
  if ('name' in found) return notReached([dns, tls, found], ['clock'], 'no answer')
  return { checks: [dns, tls, ...found], isAnswered: true }
}

/** The proxy resolves the name, and its tunnel is asked by an ordinary request. */
async function checkThroughProxy(target: NetworkTarget, proxy: string, clock: Clock): Promise<NetworkChecks> {
  const names = [
    skipped('DNS', `the proxy ${proxy} resolves the name`),
    skipped('TLS', `in the tunnel of the proxy ${proxy}`),
  ]
  const found = await inTime('service', proxyAdvice, () => checkAnswer(target, clock), clock)
  if (!('name' in found)) return { checks: [...names, ...found], isAnswered: true }
  // A certificate is the service's, or that of a proxy which reads along.
  const advice = found.advice?.includes('certificate') ? found.advice : proxyAdvice
  const failure = failed('service', `through the proxy ${proxy}: ${found.detail}`, advice)
  return notReached([...names, failure], ['clock'], 'no answer')
}

function notReached(checks: Check[], names: string[], why: string): NetworkChecks {
  return { checks: [...checks, ...names.map((name) => skipped(name, why))], isAnswered: false }
}

async function checkDns({ hostname }: URL): Promise<Check> {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return ok('DNS', `${hostname} is an address`)
  try {
    const { addresses, ttlMs } = await resolveHost(hostname, { nameServers: undefined })
    const list = addresses.map(({ address }) => address).join(', ')
    return ok('DNS', `${hostname} has ${list}, for ${Math.round(ttlMs / 1_000)} s`)
  } catch (error) {
    return failed('DNS', toReason(error), findAdvice(error) ?? dnsAdvice)
  }
}

async function checkTls({ ingestOrigin, ca }: NetworkTarget, clock: Clock): Promise<Check> {
  if (ingestOrigin.protocol === 'http:') return ok('TLS', 'plain HTTP to this machine')
  const host = ingestOrigin.hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(ingestOrigin.port || 443),
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca: [...defaultCas(), ca] }),
  })
  try {
    await withDeadline({ clock, ms: deadlineMs }, async (signal) => {
      await once(socket, 'secureConnect', { signal })
    })
    return toTlsCheck(socket, clock.now())
  } catch (error) {
    return failed('TLS', toReason(error), findAdvice(error) ?? tlsAdvice)
  } finally {
    socket.destroy()
  }
}

function toTlsCheck(socket: TLSSocket, nowMs: number): Check {
  const { valid_to, issuer } = socket.getPeerCertificate()
  const days = Math.floor((Date.parse(valid_to) - nowMs) / 86_400_000)
  const detail = `${socket.getProtocol()}, certificate of ${issuer?.CN ?? 'unknown'}, ${days} days left`
  return days < 14
    ? warning('TLS', detail, 'the certificate of the service ends soon; tell its operator')
    : ok('TLS', detail)
}

/** The time of the `Date` header is cut to a second, and the answer takes a moment. */
const toleranceMs = 2_000

/**
 * Asks without a token, which the service refuses; anything else is not the service. One check when nothing answers.
 */
async function checkAnswer({ ingestOrigin, fetch }: NetworkTarget, clock: Clock): Promise<Check[] | Check> {
  try {
    const url = toUrl(ingestOrigin, reportsPath)
    const sentAtMs = clock.now()
    const answer = await withDeadline({ clock, ms: deadlineMs }, async (signal) =>
      readAnswer(await fetch(new Request(url, { method: 'POST', redirect: 'manual', signal }))),
    )
    const service = judgeAnswer(answer)
    // The time of something else says nothing.
    if (service.result === 'failed') return [service, skipped('clock', 'the service was not reached')]
    return [service, judgeClock(answer.headers, sentAtMs, clock.now())]
  } catch (error) {
    return failed('service', toReason(error), findAdvice(error) ?? answerAdvice)
  }
}

function judgeAnswer(answer: Answer): Check {
  const { status, headers } = answer
  const said = `${reportsPath} answered ${status}`
  if (status === 429 || status >= 500) return warning('service', said, 'the service is busy or down; try again later')
  const problem = findProblemOfService(answer)
  if (problem?.code === 'not_found')
    return failed(
      'service',
      toWrongAddress(said, 'ingest').message,
      'check that --ingest is the base address of the ingest',
    )
  if (problem || (status === 401 && !isPage(headers))) return ok('service', 'it answers')
  const { message } = toForeignAnswer(answer, said, 'ingest')
  return failed('service', message, 'check --ingest, and what is between this machine and the service')
}

function judgeClock(headers: Headers, sentAtMs: number, answeredAtMs: number): Check {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) return skipped('clock', 'the service does not tell its time')
  const offsetMs = date + 500 - (sentAtMs + answeredAtMs) / 2
  const detail = `this machine is ${describeDuration(Math.abs(offsetMs))} ${offsetMs < 0 ? 'ahead of' : 'behind'} the service`
  if (Math.abs(offsetMs) <= toleranceMs) return ok('clock', detail)
  return warning(
    'clock',
    detail,
    'positions get wrong times: set the clock, for example with chrony or systemd-timesyncd',
  )
}
