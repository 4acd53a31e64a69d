/**
 * Says what an operator can do about a relay that does not accept messages. In: the reason that its owner sees. Out:
 * what to do.
 */
import { type RelayFailureCode, relayFailureReasons } from '../../relays/sender/relay-failure.ts'

const ofFailures: Partial<Record<RelayFailureCode, string>> = {
  address_refused: 'correct the host name; "--allow-private-relays" allows a host in a private network',
  certificate_refused:
    'the certificate must name this host and be valid now; if its CA is your own: "--relay-ca FILE", here and for the server',
  certificate_self_signed: 'if it is your own: "--relay-ca FILE", here and for the server',
  certificate_of_private_authority: 'if it is your own: "--relay-ca FILE", here and for the server',
  certificate_chain_incomplete:
    'the server of the receiver needs the full chain, such as fullchain.pem; if its CA is your own: "--relay-ca FILE", here and for the server',
  connection_refused: 'start the receiver there, or correct the host and port',
  timeout: 'see whether a firewall keeps this machine out, and whether the receiver answers within 10 s',
}

const ofStatuses: Record<number, string> = {
  401: 'a receiver that checks signatures must expect those of this service: "from" of @posrep/relay-receiver is its --auth-origin',
  403: 'the receiver must accept this device: "devices" of @posrep/relay-receiver lists its URN',
  404: 'correct the path of the address',
  405: 'correct the path of the address: the receiver must accept POST there',
}

const ofOthers = 'the log of the receiver should say why; "posrep-relay listen" shows each message that arrives'

export function adviseOnRelay(reason: string): string {
  const failure = Object.entries(ofFailures).find(([code]) => relayFailureReasons[code as RelayFailureCode] === reason)
  const status = Number(/ (\d{3})(?:;|$)/.exec(reason)?.[1])
  return failure?.[1] ?? ofStatuses[status] ?? ofOthers
}
