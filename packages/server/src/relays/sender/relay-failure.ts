/**
 * Why a relay could not be reached, in general words.
 * In: an error of the network, of TLS or of HTTP. Out: a code, and a reason that a user may see.
 */
export type RelayFailureCode =
  | 'unresolved'
  | 'address_refused'
  | 'certificate_refused'
  | 'tls_failed'
  | 'timeout'
  | 'connection_refused'
  | 'connection_lost'
  | 'no_route'
  | 'not_http'
  | 'unreachable'

/** The user sees the message, so it must not contain IP addresses or responses from the server's internal network. */
export class RelayFailure extends Error {
  override readonly name = 'RelayFailure'
  readonly code: RelayFailureCode

  constructor(
    code: RelayFailureCode,
    { reason = relayFailureReasons[code], ...options }: ErrorOptions & { reason?: string } = {},
  ) {
    super(reason, options)
    this.code = code
  }
}

/** One reason for both: otherwise a user could find out which names the server's own network has. */
const notPublic = 'The host name of the relay address does not lead to a public address'

export const relayFailureReasons: Record<RelayFailureCode, string> = {
  unresolved: notPublic,
  address_refused: notPublic,
  certificate_refused: 'The TLS certificate of the relay was not accepted',
  tls_failed: 'The TLS connection to the relay failed; the relay must support TLS 1.2 or newer',
  timeout: 'The relay did not answer in time',
  connection_refused: 'The relay refused the connection: nothing listens at this host and port',
  connection_lost: 'The relay closed the connection before it answered',
  no_route: 'The relay could not be reached: there is no route to its host',
  not_http: 'The relay answered, but not in HTTP',
  unreachable: 'The relay could not be reached',
}

export function toRelayFailure(error: unknown): RelayFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof RelayFailure) return cause
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/TIMEOUT|TIMEDOUT/.test(code)) return new RelayFailure('timeout', { cause: error })
  // Node has no code for a weak key or hash: OpenSSL reports it as UNSPECIFIED.
  if (/CERT|SIGNATURE|ISSUER|INVALID_CA|PURPOSE|PATH_LENGTH|UNSPECIFIED/.test(code))
    return new RelayFailure('certificate_refused', { cause: error })
  if (/SSL|TLS|EPROTO/.test(code)) return new RelayFailure('tls_failed', { cause: error })
  if (code === 'ECONNREFUSED') return new RelayFailure('connection_refused', { cause: error })
  if (/ECONNRESET|EPIPE|UND_ERR_SOCKET|CLOSED/.test(code)) return new RelayFailure('connection_lost', { cause: error })
  if (/HOSTUNREACH|NETUNREACH/.test(code)) return new RelayFailure('no_route', { cause: error })
  if (code.startsWith('HPE_')) return new RelayFailure('not_http', { cause: error })
  return new RelayFailure('unreachable', { cause: error })
}
