import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { developmentCertificate } from '../../src/adapters/development-certificate.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posrep-certificate-'))
})
afterEach(() => rm(folder, { recursive: true }))

const dayMs = 86_400_000
const names = ['localhost', '127.0.0.1', '::1', 'host.example.com']
const clock = createManualClock()
const make = (options: Partial<Parameters<typeof developmentCertificate>[0]> = {}) =>
  developmentCertificate({ folder, names, clock, ...options })

test('the certificate is for all names and addresses, and the CA has signed it', async () => {
  const { cert, ca, caFile } = await make()
  const leaf = new X509Certificate(cert)
  const authority = new X509Certificate(ca)

  expect(leaf.checkHost('localhost')).toBe('localhost')
  expect(leaf.checkHost('host.example.com')).toBe('host.example.com')
  expect([leaf.checkIP('127.0.0.1'), leaf.checkIP('::1')]).toEqual(['127.0.0.1', '::1'])
  expect([leaf.ca, authority.ca, leaf.verify(authority.publicKey)]).toEqual([false, true, true])
  expect(await readFile(caFile, 'utf8')).toBe(ca)
})

test('the certificate is created once', async () => {
  const first = await make()
  expect(await make({ names: [...names].reverse() })).toEqual(first)
})

test('the certificate is created again by the same CA when the names change', async () => {
  const first = await make()
  const second = await make({ names: [...names, 'other.example.com'] })

  expect(second.ca).toBe(first.ca)
  expect(second.cert).not.toBe(first.cert)
  expect(new X509Certificate(second.cert).checkHost('other.example.com')).toBe('other.example.com')
  expect(await make({ names: [...names, 'other.example.com'] })).toEqual(second)
})

test('the certificate is created again before it expires', async () => {
  const first = await make()
  const later = createManualClock(clock.now() + 370 * dayMs)
  const second = await make({ clock: later })

  expect([second.ca === first.ca, second.cert === first.cert]).toEqual([true, false])
  expect(new X509Certificate(second.cert).validToDate.getTime()).toBeGreaterThan(later.now() + 300 * dayMs)
})

test('the CA and the certificate are created again before the CA expires', async () => {
  const first = await make()
  const second = await make({ clock: createManualClock(clock.now() + 3_630 * dayMs) })
  expect(second.ca).not.toBe(first.ca)
  expect(new X509Certificate(second.cert).verify(new X509Certificate(second.ca).publicKey)).toBe(true)
})

test('only their owner can read the keys', async () => {
  await make()
  for (const file of ['development-ca-key.pem', 'development-tls-key.pem']) {
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
  }
})

test.each(['development-ca.pem', 'development-ca-key.pem'])(
  'a CA with a broken %s is refused, not replaced',
  async (file) => {
    await make()
    await writeFile(join(folder, file), 'broken')
    await expect(make()).rejects.toThrow('is not PEM; delete both files to create them again')
    expect(await readFile(join(folder, file), 'utf8')).toBe('broken')
  },
)

test('a CA whose key file has another key is refused', async () => {
  await make()
  const key = await readFile(join(folder, 'development-tls-key.pem'))
  await writeFile(join(folder, 'development-ca-key.pem'), key)
  await expect(make()).rejects.toThrow('does not belong to')
})

test('a certificate that does not match its key, as a crash may leave it, is created again', async () => {
  await make()
  await writeFile(join(folder, 'development-tls-key.pem'), await readFile(join(folder, 'development-ca-key.pem')))
  const { cert, key } = await make()
  expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true)
})
