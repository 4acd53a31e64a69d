/**
 * Why a relay could not be reached, in words that its owner may see.
 * In: an error of the network, of TLS or of HTTP. Out: a code and its reason.
 */
import { errors } from 'undici'

/** The user sees these, so they must not contain IP addresses or responses from the server's internal network. */
export const relayFailureReasons = {
  // One reason for both: otherwise a user could find out which names the server's own network has.
  unresolved: 'The host name of the relay address does not lead to a public address',
  address_refused: 'The host name of the relay address does not lead to a public address',
  unreachable: 'The relay could not be reached',
  connection_refused: 'The relay refused the connection: nothing listens at this host and port',
  no_route: 'The relay could not be reached: there is no route to its host',
  timeout: 'The relay did not answer in time',
  connection_lost: 'The relay closed the connection before it answered',
  certificate_refused: 'The TLS certificate of the relay was not accepted',
  certificate_expired: 'The TLS certificate of the relay has expired',
  certificate_not_yet_valid: 'The TLS certificate of the relay is not valid yet',
  certificate_of_other_name: 'The TLS certificate of the relay is for another host name',
  certificate_self_signed: 'The TLS certificate of the relay is self-signed; it must be of a public authority',
  certificate_of_private_authority:
    'The TLS certificate of the relay is of an authority that is not public, or that this service does not know',
  certificate_chain_incomplete:
    'The relay sends an incomplete chain: the intermediate certificates of its authority must come with its TLS certificate',
  certificate_too_weak:
    'The TLS certificate of the relay is too weak: an RSA key needs 2,048 bits, and a signature more than SHA-1',
  certificate_not_for_servers: 'The TLS certificate of the relay is not one for servers',
  tls_failed: 'The TLS connection to the relay failed',
  tls_too_old: 'The relay must support TLS 1.2 or newer',
  tls_not_spoken: 'The port of the relay does not speak TLS',
  tls_without_http1: 'The relay takes HTTP/2 only; messages are sent with HTTP/1.1',
  tls_client_certificate: 'The relay demands a client certificate; none is sent',
  tls_refused:
    'The relay refused the TLS handshake: it has no cipher in common with this service, no certificate for this host name, or demands a client certificate, which is not sent',
  tls_host_unknown: 'The relay refused the TLS handshake: its server does not know this host name',
  tls_server_error:
    'The relay ended the TLS handshake with an error of its own; it may have no certificate for this host name',
  tls_closed: 'The relay closed the connection before the TLS handshake was complete',
  not_http: 'The relay answered, but the answer was not HTTP',
  answer_unreadable: 'The answer of the relay could not be read',
  header_malformed: 'The relay answered with a malformed HTTP header',
  headers_too_large: 'The HTTP headers of the answer were too large: at most 16 KiB are read',
  lengths_differ: 'The answer of the relay names a length that its body does not have, or two lengths',
  answer_incomplete: 'The relay closed the connection before the body of its answer was complete',
  protocol_switched: 'The relay switched protocols unasked (101)',
  too_many_informational: 'The relay sent more than 20 informational answers (1xx) before the final one',
} as const

export type RelayFailureCode = keyof typeof relayFailureReasons

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

export function toRelayFailure(error: unknown): RelayFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof RelayFailure) return cause
  return new RelayFailure(findCode(error), { cause: error })
}

/**
 * The same failure without what only a connection shows. Where private addresses are allowed, a user could otherwise
 * find out what runs at the addresses of the server's own network.
 */
export function toCoarse(failure: RelayFailure): RelayFailure {
  const code = coarse(failure.code)
  return code === failure.code ? failure : new RelayFailure(code, { cause: failure })
}

function coarse(code: RelayFailureCode): RelayFailureCode {
  if (code.startsWith('certificate_')) return 'certificate_refused'
  if (code.startsWith('tls_')) return 'tls_failed'
  return details.has(code) ? 'answer_unreadable' : code
}

const details: ReadonlySet<RelayFailureCode> = new Set([
  'header_malformed',
  'headers_too_large',
  'lengths_differ',
  'answer_incomplete',
  'protocol_switched',
  'too_many_informational',
])

/** By the codes of Node, OpenSSL and undici. The first that matches counts. */
const codes: [RegExp, RelayFailureCode][] = [
  [/TIMEOUT|TIMEDOUT/, 'timeout'],
  [/^CERT_HAS_EXPIRED$/, 'certificate_expired'],
  [/^CERT_NOT_YET_VALID$/, 'certificate_not_yet_valid'],
  [/^ERR_TLS_CERT_ALTNAME/, 'certificate_of_other_name'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'certificate_self_signed'],
  [/^SELF_SIGNED_CERT_IN_CHAIN$/, 'certificate_of_private_authority'],
  [/^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/, 'certificate_chain_incomplete'],
  [/^INVALID_PURPOSE$/, 'certificate_not_for_servers'],
  // Node has no code for a weak key or hash: OpenSSL reports it as UNSPECIFIED.
  [/^UNSPECIFIED$/, 'certificate_too_weak'],
  [/^ERR_SSL.*CERTIFICATE_REQUIRED/, 'tls_client_certificate'],
  [/^ERR_SSL.*(PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION_NUMBER)/, 'tls_too_old'],
  [/^ERR_SSL.*(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNEXPECTED_MESSAGE)/, 'tls_not_spoken'],
  [/^ERR_SSL.*NO_APPLICATION_PROTOCOL/, 'tls_without_http1'],
  [/^ERR_SSL.*UNRECOGNIZED_NAME/, 'tls_host_unknown'],
  [/^ERR_SSL.*ALERT_INTERNAL_ERROR/, 'tls_server_error'],
  // With TLS 1.2, servers that demand a client certificate send the same alert as servers without a common cipher.
  [/^ERR_SSL.*ALERT_(HANDSHAKE_FAILURE|BAD_CERTIFICATE|ACCESS_DENIED|INSUFFICIENT_SECURITY)/, 'tls_refused'],
  [/^ERR_SSL.*(CERT|KEY_TOO_SMALL|MD_TOO_WEAK)/, 'certificate_refused'],
  [/SSL|TLS|EPROTO/, 'tls_failed'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/HOSTUNREACH|NETUNREACH/, 'no_route'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'headers_too_large'],
  [/CONTENT_LENGTH_MISMATCH/, 'lengths_differ'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|CLOSED/, 'connection_lost'],
  [/CERT|SIGNATURE|ISSUER|INVALID_CA|PURPOSE|PATH_LENGTH|CRL/, 'certificate_refused'],
]

function findCode(error: unknown): RelayFailureCode {
  if (!(error instanceof Error)) return 'unreachable'
  const { message } = error
  const code = 'code' in error ? String(error.code) : ''
  // Neither undici nor Node has codes for these.
  if (error instanceof errors.HTTPParserError)
    return /header|content-length|transfer-encoding/i.test(message) ? 'header_malformed' : 'not_http'
  if (message === 'bad upgrade') return 'protocol_switched'
  if (code === 'ECONNRESET' && message.includes('before secure TLS connection')) return 'tls_closed'
  return codes.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable'
}
