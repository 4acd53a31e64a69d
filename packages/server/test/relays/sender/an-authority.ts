/** An authority of a test, and certificates of it. In: what is special about a certificate. Out: PEM texts. */
// @peculiar/x509 asks for this polyfill to be loaded before it.
import 'reflect-metadata'
import { KeyObject } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { currentTimeMs } from '../../../../../testing/real-time.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000

export interface CertificateParts {
  name?: string
  fromDays?: number
  toDays?: number
  usage?: string
}

export interface ServerCertificate {
  cert: string
  key: string
}

interface Issuer {
  certificate: x509.X509Certificate
  keys: CryptoKeyPair
}

/** A root and an intermediate authority. `issue` is of the intermediate one. */
export async function anAuthority(name = 'Authority') {
  const root = await anIssuer(`CN=${name}`)
  const intermediate = await anIssuer(`CN=${name} 2`, root)
  return {
    ca: root.certificate.toString('pem'),
    intermediate: intermediate.certificate.toString('pem'),
    issue: (parts: CertificateParts = {}) => issue(parts, intermediate),
  }
}

export async function aSelfSignedCertificate(): Promise<ServerCertificate> {
  return issue({})
}

async function anIssuer(name: string, by?: Issuer): Promise<Issuer> {
  const keys = await aKeyPair()
  const certificate = await sign(name, keys, by, {}, [
    new x509.BasicConstraintsExtension(true, 2, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
  ])
  return { certificate, keys }
}

async function issue(parts: CertificateParts, by?: Issuer): Promise<ServerCertificate> {
  const { name = 'relay.test', usage } = parts
  const keys = await aKeyPair()
  const certificate = await sign(`CN=${name}`, keys, by, parts, [
    new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
    ...(usage === undefined ? [] : [new x509.ExtendedKeyUsageExtension([usage])]),
  ])
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: certificate.toString('pem'), key: String(key) }
}

function sign(
  subject: string,
  { publicKey, privateKey }: CryptoKeyPair,
  by: Issuer | undefined,
  { fromDays = -1, toDays = 1 }: CertificateParts,
  extensions: x509.Extension[],
): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.create({
    subject,
    issuer: by?.certificate.subject ?? subject,
    publicKey,
    signingKey: by?.keys.privateKey ?? privateKey,
    signingAlgorithm: algorithm,
    notBefore: new Date(currentTimeMs() + fromDays * dayMs),
    notAfter: new Date(currentTimeMs() + toDays * dayMs),
    extensions,
  })
}

function aKeyPair(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}
