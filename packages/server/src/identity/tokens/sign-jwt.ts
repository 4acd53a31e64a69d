/**
 * Signs a JWT as a compact JWS with ES256 (RFC 7515 §7.1, RFC 7518 §3.4).
 * In: header, claims, the key. Out: the token, signed in Node's thread pool, because signing is a third of the work of
 * issuing a token. jose verifies tokens and parses all outside input (decision 30).
 */
import type { JWTPayload } from 'jose'
import type { PrivateKey } from '../keys/keys.ts'
import { signAsync } from '../keys/sign-async.ts'

export interface JwtOptions {
  typ: string
  claims: JWTPayload
  /** On the curve P-256. */
  signer: PrivateKey
}

const integerBytes = 32

/** The last encoded header; it changes with the key. */
let header = { typ: '', kid: '', text: '' }

export async function signJwt({ typ, claims, signer: { kid, key } }: JwtOptions): Promise<string> {
  if (header.typ !== typ || header.kid !== kid) header = { typ, kid, text: toPart({ alg: 'ES256', typ, kid }) }
  const text = `${header.text}.${toPart(claims)}`
  // Pass the bare key: with the option `dsaEncoding`, Node takes twice as long.
  return `${text}.${toJwsSignature(await signAsync('sha256', Buffer.from(text), key)).toString('base64url')}`
}

/**
 * Converts `SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279 §2.2.3) to r and s of 32 bytes each. In the sequence, both are
 * as short as possible, with a leading zero where they would be negative.
 */
export function toJwsSignature(der: Buffer): Buffer {
  const signature = Buffer.alloc(2 * integerBytes)
  let at = 2
  for (const end of [integerBytes, 2 * integerBytes]) {
    const from = at + 2
    at = from + der.readUInt8(at + 1)
    const length = Math.min(at - from, integerBytes)
    der.copy(signature, end - length, at - length, at)
  }
  return signature
}

function toPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
