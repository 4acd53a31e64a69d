/**
 * A certificate authority and a certificate for development, stored in a folder.
 * In: the host names and addresses of the server. Out: PEM texts. The certificate is created again when the names change
 * or when it expires soon.
 */
// @peculiar/x509 requires that this polyfill is loaded before it.
import 'reflect-metadata'
import { createPrivateKey, KeyObject, X509Certificate } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import * as x509 from '@peculiar/x509'
import { SettingsError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'

export interface DevelopmentCertificate {
  cert: string
  key: string
  ca: string
  /** The path of the CA's certificate, for clients to trust. */
  caFile: string
}

interface Pair {
  cert: string
  key: string
}

const dayMs = 86_400_000
const caLifeMs = 10 * 365 * dayMs
const leafLifeMs = 397 * dayMs
const renewBeforeMs = 30 * dayMs

export async function developmentCertificate(options: {
  folder: string
  names: string[]
  clock: Clock
}): Promise<DevelopmentCertificate> {
  const { clock } = options
  const folder = resolve(options.folder)
  const names = [...new Set(options.names)].sort()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ca = await readOrCreatePair({
    files: filesOf(folder, 'development-ca'),
    isGood: (cert) => isFresh(cert, clock),
    create: () => createCa(clock),
    // Clients may already trust this CA, so it is not replaced automatically.
    onBroken(error) {
      throw error
    },
  })
  const leaf = await readOrCreatePair({
    files: filesOf(folder, 'development-tls'),
    isGood: (cert) =>
      isFresh(cert, clock) && cert.verify(new X509Certificate(ca.cert).publicKey) && hasNames(cert, names),
    create: () => createLeaf(ca, names, clock),
    onBroken: () => undefined,
  })
  return { ...leaf, cert: `${leaf.cert.trim()}\n${ca.cert}`, ca: ca.cert, caFile: join(folder, 'development-ca.pem') }
}

interface Files {
  cert: string
  key: string
}

function filesOf(folder: string, name: string): Files {
  return { cert: join(folder, `${name}.pem`), key: join(folder, `${name}-key.pem`) }
}

interface PairOptions {
  files: Files
  isGood(cert: X509Certificate): boolean
  create(): Promise<Pair>
  /** Called when the files are not a certificate with its key; a crash may leave such files. */
  onBroken(error: Error): undefined
}

async function readOrCreatePair({ files, isGood, create, onBroken }: PairOptions): Promise<Pair> {
  const found = await readPair(files).catch(onBroken)
  if (found && isGood(new X509Certificate(found.cert))) return found
  const made = await create()
  await writeFile(files.key, made.key, { mode: 0o600 })
  await writeFile(files.cert, made.cert)
  return made
}

/** Returns undefined when there is none yet. @throws when the files exist but are not a certificate with its key. */
async function readPair(files: Files): Promise<Pair | undefined> {
  let pair: Pair
  try {
    pair = { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    if (new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))) return pair
  } catch (cause) {
    throw new SettingsError(`"${files.cert}" or "${files.key}" is not PEM; delete both files to create them again`, {
      cause,
    })
  }
  throw new SettingsError(`"${files.cert}" does not belong to "${files.key}"; delete both files to create them again`)
}

function isFresh(cert: X509Certificate, clock: Clock): boolean {
  return cert.validToDate.getTime() - clock.now() > renewBeforeMs
}

function hasNames(cert: X509Certificate, names: string[]): boolean {
  const found = (cert.subjectAltName ?? '').split(', ').map((entry) => entry.replace(/^(?:DNS|IP Address):/, ''))
  return (
    found.length === names.length && names.every((name) => (isIP(name) ? cert.checkIP(name) : found.includes(name)))
  )
}

async function createCa(clock: Clock): Promise<Pair> {
  const keys = await createKeys()
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Posrep development CA',
    keys,
    ...validity(clock, caLifeMs),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return toPair(cert, keys)
}

async function createLeaf(ca: Pair, names: string[], clock: Clock): Promise<Pair> {
  const keys = await createKeys()
  const caCert = new x509.X509Certificate(ca.cert)
  const cert = await x509.X509CertificateGenerator.create({
    subject: 'CN=Posrep development server',
    issuer: caCert.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(ca.key),
    ...validity(clock, leafLifeMs),
    // Newer clients, for example Python's, refuse a certificate without the two key identifiers.
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map(toGeneralName)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(await caCert.publicKey.export()),
    ],
  })
  return toPair(cert, keys)
}

function toGeneralName(value: string): x509.JsonGeneralName {
  return { type: isIP(value) ? 'ip' : 'dns', value }
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

function createKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
}

function importKey(pem: string): Promise<CryptoKey> {
  return crypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
    ecdsa,
    false,
    ['sign'],
  )
}

async function toPair(cert: x509.X509Certificate, { privateKey }: CryptoKeyPair): Promise<Pair> {
  const key = KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: `${cert.toString('pem')}\n`, key: String(key) }
}

function validity(clock: Clock, lifeMs: number) {
  return { signingAlgorithm: ecdsa, notBefore: new Date(clock.now() - dayMs), notAfter: new Date(clock.now() + lifeMs) }
}
