/**
 * A certificate for `posrep-relay listen`, which the server trusts through its option `--relay-ca`.
 * In: a directory and a host name. Out: PEM texts; the files are kept until the name changes or the certificate expires
 * soon.
 */
// @peculiar/x509 requires that this polyfill is loaded before it.
import 'reflect-metadata'
import { createPrivateKey, KeyObject, X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { replaceFile } from '@posrep/kernel/replace-file'
import { systemClock } from '../ports.ts'

export interface SelfSigned {
  cert: string
  key: string
  certFile: string
}

const dayMs = 86_400_000
const lifeMs = 365 * dayMs
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

export async function selfSigned(folder: string, name: string): Promise<SelfSigned> {
  const [certFile, keyFile] = [join(folder, 'relay-cert.pem'), join(folder, 'relay-key.pem')]
  const known = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]).catch(() => undefined)
  if (known && isUsable(known, name)) return { cert: known[0], key: known[1], certFile }
  const { cert, key } = await create(name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await replaceFile(keyFile, key)
  await replaceFile(certFile, cert, { mode: 0o644 })
  return { cert, key, certFile }
}

/** False also for a certificate without its key: a crash may leave the new key and the old certificate. */
function isUsable([cert, key]: [cert: string, key: string], name: string): boolean {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return false
  } catch {
    return false
  }
  return certificate.checkHost(name) !== undefined && certificate.validToDate.getTime() - systemClock.now() > 30 * dayMs
}

async function create(name: string): Promise<{ cert: string; key: string }> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const nowMs = systemClock.now()
  const names = [...new Set([name, 'localhost'])].map((value) => ({ type: 'dns' as const, value }))
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=posrep-relay',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(nowMs - dayMs),
    notAfter: new Date(nowMs + lifeMs),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names),
    ],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: `${certificate.toString('pem')}\n`, key: String(key) }
}
