/**
 * Checks the way to the service: DNS, TLS and the clock.
 * In: its origin, the CA. Out: checks, the later ones skipped when an earlier one fails.
 */
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, rootCertificates, type TLSSocket } from 'node:tls'
import { toUrl } from '../../check-option.ts'
import { toReason } from '../../errors.ts'
import { withDeadline } from '../../http/deadline.ts'
import { findAdvice } from '../../http/explain-failure.ts'
import { resolveHost } from '../../network/resolve-host.ts'
import { type Fetch, systemClock } from '../../ports.ts'
import { type Check, failed, ok, skipped, warning } from './check.ts'

const deadlineMs = 10_000

export interface NetworkTarget {
  ingestOrigin: URL
  ca: string | undefined
  fetch: Fetch
}

export async function checkNetwork(target: NetworkTarget): Promise<Check[]> {
  const dns = await checkDns(target.ingestOrigin)
  if (dns.result === 'failed') return [dns, skipped('TLS', 'no address'), skipped('clock', 'no address')]
  const tls = await checkTls(target)
  if (tls.result === 'failed') return [dns, tls, skipped('clock', 'no connection')]
  return [dns, tls, await checkClock(target)]
}

async function checkDns({ hostname }: URL): Promise<Check> {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return ok('DNS', `${hostname} is an address`)
  try {
    const { addresses, ttlMs } = await resolveHost(hostname, { nameServers: undefined })
    const list = addresses.map(({ address }) => address).join(', ')
    return ok('DNS', `${hostname} has ${list}, for ${Math.round(ttlMs / 1_000)} s`)
  } catch (error) {
    return failed('DNS', toReason(error), findAdvice(error) ?? 'check the host name in --ingest')
  }
}

async function checkTls({ ingestOrigin, ca }: NetworkTarget): Promise<Check> {
  if (ingestOrigin.protocol === 'http:') return ok('TLS', 'plain HTTP to this machine')
  const host = ingestOrigin.hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(ingestOrigin.port || 443),
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  })
  try {
    await withDeadline({ clock: systemClock, ms: deadlineMs }, async (signal) => {
      await once(socket, 'secureConnect', { signal })
    })
    return toTlsCheck(socket)
  } catch (error) {
    return failed('TLS', toReason(error), findAdvice(error) ?? 'check the network and the port in --ingest')
  } finally {
    socket.destroy()
  }
}

function toTlsCheck(socket: TLSSocket): Check {
  const { valid_to, issuer } = socket.getPeerCertificate()
  const days = Math.floor((Date.parse(valid_to) - systemClock.now()) / 86_400_000)
  const detail = `${socket.getProtocol()}, certificate of ${issuer?.CN ?? 'unknown'}, ${days} days left`
  return days < 14
    ? warning('TLS', detail, 'the certificate of the service ends soon; tell its operator')
    : ok('TLS', detail)
}

/** The time of the `Date` header is cut to a second, and the answer takes a moment. */
const toleranceMs = 2_000

async function checkClock({ ingestOrigin, fetch }: NetworkTarget): Promise<Check> {
  try {
    const url = toUrl(ingestOrigin, '/v1/position-reports')
    const sentAtMs = systemClock.now()
    const response = await withDeadline({ clock: systemClock, ms: deadlineMs }, async (signal) => {
      const answered = await fetch(new Request(url, { method: 'POST', redirect: 'manual', signal }))
      await answered.text()
      return answered
    })
    const date = Date.parse(response.headers.get('date') ?? '')
    if (Number.isNaN(date)) return skipped('clock', 'the service does not tell its time')
    const offsetMs = date + 500 - (sentAtMs + systemClock.now()) / 2
    const detail = `this machine is ${Math.abs(offsetMs / 1_000).toFixed(1)} s ${offsetMs < 0 ? 'ahead of' : 'behind'} the service`
    if (Math.abs(offsetMs) <= toleranceMs) return ok('clock', detail)
    return warning(
      'clock',
      detail,
      'positions get wrong times: set the clock, for example with chrony or systemd-timesyncd',
    )
  } catch (error) {
    return failed('clock', toReason(error), 'the service does not answer; check that it runs')
  }
}
