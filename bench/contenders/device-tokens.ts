/**
 * Device tokens like those of this server: ES256, the same claims, the same length. Out: the tokens and their public
 * key.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import type { Device } from '../load/report-request.ts'

export interface DeviceTokens {
  publicKeyPem: string
  devices: Device[]
}

const origin = 'https://localhost:8443'

export function createDeviceTokens(count: number): DeviceTokens {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuedAtSeconds = Math.floor(Date.now() / 1_000)
  const header = { alg: 'ES256', typ: 'at+jwt', kid: 'gLZyKCd7Jzg4bTnGDMuuwBgUCRgHeM3S' }
  const devices = Array.from({ length: count }, (_, device) => {
    const claims = {
      iss: origin,
      aud: origin,
      sub: `urn:aa:device:fleet:roof${device}`,
      client_id: 'fleet',
      scope: 'surveillance_api',
      'urn:oauth:scope': 'surveillance_api',
      iat: issuedAtSeconds,
      exp: issuedAtSeconds + 86_400,
      jti: `${crypto.randomUUID()}.0.${issuedAtSeconds.toString(36)}`,
    }
    const signed = `${toPart(header)}.${toPart(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return { sensorId: `roof${device}`, token: `${signed}.${signature.toString('base64url')}` }
  })
  return { publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(), devices }
}

function toPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
