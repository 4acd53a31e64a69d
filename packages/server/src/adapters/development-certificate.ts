/**
 * A certificate authority and a certificate for development, stored in a folder.
 * In: the host names and addresses of the server. Out: PEM texts. Both are created again when the names change or when
 * they expire soon. The CA keeps its key. It may certify these names and private addresses only, so that nobody who
 * gets the key can impersonate another host to clients that trust the CA.
 */
// @peculiar/x509 requires that this polyfill is loaded before it.
import 'reflect-metadata'
import { createPrivateKey, createPublicKey, KeyObject, X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import * as x509 from '@peculiar/x509'
import { replaceFile } from '@posrep/kernel/replace-file'
import ipaddr from 'ipaddr.js'
import { SettingsError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { isPrivateAddress, privateRanges } from './private-addresses.ts'

export interface DevelopmentCertificate {
  cert: string
  key: string
  ca: string
  /** The path of the CA's certificate, for clients to trust. */
  caFile: string
  /** Clients have to trust the CA again after this time. */
  caExpiresAtMs: number
  /** There was a CA before, and clients that trust it have to trust this one instead. */
  isCaReplaced: boolean
}

interface Pair {
  cert: string
  key: string
}

const dayMs = 86_400_000
const lifeMs = 365 * dayMs
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
  const constraints = nameConstraints(names)
  const { isReplaced: isCaReplaced, ...ca } = await readOrCreatePair({
    files: filesOf(folder, 'development-ca'),
    isGood: (cert) => isFresh(cert, clock) && hasExtension(cert, constraints),
    create: (former) => createCa(former, constraints, clock),
    // Clients may already trust this CA, so its key is not replaced automatically.
    onBroken(error) {
      throw error
    },
  })
  const authority = new X509Certificate(ca.cert)
  const leaf = await readOrCreatePair({
    files: filesOf(folder, 'development-tls'),
    isGood: (cert) => isFresh(cert, clock) && cert.verify(authority.publicKey) && hasNames(cert, names),
    create: () => createLeaf(ca, names, clock),
    onBroken: () => undefined,
  })
  return {
    cert: `${leaf.cert.trim()}\n${ca.cert}`,
    key: leaf.key,
    ca: ca.cert,
    caFile: join(folder, 'development-ca.pem'),
    caExpiresAtMs: authority.validToDate.getTime(),
    isCaReplaced,
  }
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
  create(former: Pair | undefined): Promise<Pair>
  /** Called when the files are not a certificate with its key; a crash may leave such files. */
  onBroken(error: Error): undefined
}

async function readOrCreatePair({
  files,
  isGood,
  create,
  onBroken,
}: PairOptions): Promise<Pair & { isReplaced: boolean }> {
  const found = await readPair(files).catch(onBroken)
  if (found && isGood(new X509Certificate(found.cert))) return { ...found, isReplaced: false }
  const made = await create(found)
  await replaceFile(files.key, made.key)
  await replaceFile(files.cert, made.cert, { mode: 0o644 })
  return { ...made, isReplaced: found !== undefined }
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

function hasExtension(cert: X509Certificate, { type, value }: x509.Extension): boolean {
  const found = new x509.X509Certificate(cert.raw).getExtension(type)
  return found !== null && Buffer.from(found.value).equals(Buffer.from(value))
}

async function createCa(former: Pair | undefined, constraints: x509.Extension, clock: Clock): Promise<Pair> {
  const keys = former ? await importKeys(former.key) : await createKeys()
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Posrep development CA',
    keys,
    ...validity(clock),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      constraints,
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
    signingKey: (await importKeys(ca.key)).privateKey,
    ...validity(clock),
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

/**
 * The names and addresses that the CA may certify (RFC 5280 §4.2.1.10), critical. A name permits the names below it,
 * too.
 */
function nameConstraints(names: string[]): x509.Extension {
  const dnsNames = names.filter((name) => !isIP(name)).map((name) => der(0x82, Buffer.from(name, 'latin1')))
  const addresses = names.filter((name) => isIP(name) && !isPrivateAddress(name))
  const ranges = [...privateRanges, ...addresses.map((address) => `${address}/${isIP(address) === 4 ? 32 : 128}`)]
  const subtrees = [...dnsNames, ...ranges.map(toRange)].map((base) => der(0x30, base))
  return new x509.Extension('2.5.29.30', true, der(0x30, der(0xa0, ...subtrees)))
}

/** The address and its mask. */
function toRange(range: string): Buffer {
  const [base, bits] = ipaddr.parseCIDR(range)
  const address = base.toByteArray()
  const mask = address.map((_byte, index) => 0xff & (0xff00 >> Math.min(8, Math.max(0, bits - 8 * index))))
  return der(0x87, Buffer.from([...address, ...mask]))
}

function der(tag: number, ...contents: Buffer[]): Buffer<ArrayBuffer> {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function toGeneralName(value: string): x509.JsonGeneralName {
  return { type: isIP(value) ? 'ip' : 'dns', value }
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

function createKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
}

async function importKeys(pem: string): Promise<CryptoKeyPair> {
  const privateKey = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  const publicKey = createPublicKey(pem).export({ type: 'spki', format: 'der' })
  return {
    privateKey: await crypto.subtle.importKey('pkcs8', privateKey, ecdsa, true, ['sign']),
    publicKey: await crypto.subtle.importKey('spki', publicKey, ecdsa, true, ['verify']),
  }
}

async function toPair(cert: x509.X509Certificate, { privateKey }: CryptoKeyPair): Promise<Pair> {
  const key = KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: `${cert.toString('pem')}\n`, key: String(key) }
}

function validity(clock: Clock) {
  return { signingAlgorithm: ecdsa, notBefore: new Date(clock.now() - dayMs), notAfter: new Date(clock.now() + lifeMs) }
}
