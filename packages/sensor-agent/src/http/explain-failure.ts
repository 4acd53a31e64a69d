/**
 * Says why a service cannot be reached and what to check.
 * In: the error of a request. Out: one sentence for a person.
 */
import { AgentError, toReason } from '../errors.ts'

const certificateAdvice =
  'the certificate is not trusted; name the PEM file of its CA: --ca FILE of posrep-agent, or NODE_EXTRA_CA_CERTS'
const nameAdvice = "check the host name and this machine's name servers"
const portAdvice = 'check the port, and that the service runs'
const tlsAdvice = 'check that this port speaks TLS 1.2 or newer'
const clockAdvice = "check this machine's clock, and the service's certificate"

const advice: Record<string, string> = {
  ECONNREFUSED: portAdvice,
  ENOTFOUND: nameAdvice,
  EAI_AGAIN: nameAdvice,
  ENODATA: nameAdvice,
  ESERVFAIL: nameAdvice,
  ETIMEOUT: nameAdvice,
  ENETUNREACH: "check this machine's network",
  EHOSTUNREACH: "check this machine's network",
  DEPTH_ZERO_SELF_SIGNED_CERT: certificateAdvice,
  SELF_SIGNED_CERT_IN_CHAIN: certificateAdvice,
  UNABLE_TO_GET_ISSUER_CERT: certificateAdvice,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificateAdvice,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificateAdvice,
  CERT_HAS_EXPIRED: clockAdvice,
  CERT_NOT_YET_VALID: clockAdvice,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate has other names; check the host name',
  EPROTO: tlsAdvice,
  ERR_SSL_WRONG_VERSION_NUMBER: tlsAdvice,
  ERR_SSL_UNSUPPORTED_PROTOCOL: tlsAdvice,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: tlsAdvice,
  UND_ERR_SOCKET: 'the connection was closed; check the port, and https or http',
  ECONNRESET: 'the connection was closed; check the port, and https or http',
}

/** `path` is the path of the operation. */
export function toUnreachable(path: string, cause: unknown): AgentError {
  const found = findAdvice(cause)
  const message = `${path} cannot be reached: ${toReason(cause)}${found ? `; ${found}` : ''}`
  return new AgentError('service_unreachable', message, { cause })
}

/** What to check: the advice for the innermost error that has any. */
export function findAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return findAdvice(inner) ?? ('code' in error ? advice[String(error.code)] : undefined)
}
