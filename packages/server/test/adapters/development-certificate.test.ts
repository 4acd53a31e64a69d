import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls, { type PeerCertificate } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { currentTimeMs } from '../../../../testing/real-time.ts'
import { developmentCertificate } from '../../src/adapters/development-certificate.ts'
import { isPrivateAddress } from '../../src/adapters/private-addresses.ts'
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

/** The common name of the server that a client reaches when it trusts only `ca`, or the error. */
async function connect({ cert, key }: { cert: string; key: string }, ca: string, host: string): Promise<string> {
  const server = tls.createServer({ cert, key }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const asked = isIP(host) ? { host } : { servername: host }
  const checkServerIdentity = (_name: string, peer: PeerCertificate) => tls.checkServerIdentity(host, peer)
  try {
    return await new Promise((resolve) => {
      const socket = tls.connect({ port, ca, ...asked, host: '127.0.0.1', checkServerIdentity }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN))
        socket.destroy()
      })
      socket.on('error', (error) => resolve(error.message))
    })
  } finally {
    server.close()
  }
}

const now = createManualClock(currentTimeMs())
const accepted = 'Posrep development server'

test('clients that trust the CA accept the names it was made for, and private addresses', async () => {
  const served = await make({
    names: ['localhost', 'host.example.com', '203.0.113.7', '10.1.2.3', 'fd00::7'],
    clock: now,
  })
  for (const name of ['localhost', 'host.example.com', '203.0.113.7', '10.1.2.3', 'fd00::7']) {
    expect([name, await connect(served, served.ca, name)]).toEqual([name, accepted])
  }
})

test.each([
  'victim.example.com',
  'example.com',
  'host.example.com.evil',
  '203.0.113.8',
  '172.32.0.1',
  '2001:db8::1',
  '::2',
])('clients that trust the CA refuse a certificate that its key has signed for %s', async (other) => {
  const { ca } = await make({ names: ['localhost', 'host.example.com', '203.0.113.7'], clock: now })
  // With other names, the same key makes a CA that permits them. The client does not trust that one.
  const stolen = await make({ names: ['localhost', other], clock: now })
  expect(await connect(stolen, stolen.ca, other)).toBe(accepted)
  expect(await connect(stolen, ca, other)).toBe('permitted subtree violation')
})

test('with other names, the certificate and the CA are created again with the key of the CA', async () => {
  const first = await make()
  const second = await make({ names: [...names, 'other.example.com'] })

  expect([first.isCaReplaced, second.isCaReplaced]).toEqual([false, true])
  expect(new X509Certificate(second.ca).publicKey.equals(new X509Certificate(first.ca).publicKey)).toBe(true)
  expect(second.cert).not.toBe(first.cert)
  expect(new X509Certificate(second.cert).checkHost('other.example.com')).toBe('other.example.com')
  expect(await make({ names: [...names, 'other.example.com'] })).toEqual({ ...second, isCaReplaced: false })
})

test('with another private address, the certificate is created again by the same CA', async () => {
  const first = await make()
  const second = await make({ names: [...names, '192.168.7.7'] })
  expect([second.ca === first.ca, second.cert === first.cert, second.isCaReplaced]).toEqual([true, false, false])
})

test('the certificate and the CA live for a year, and are created again with the key of the CA before that', async () => {
  const first = await make()
  const end = clock.now() + 365 * dayMs
  expect(first.caExpiresAtMs).toBe(end)
  expect(new X509Certificate(first.cert).validToDate.getTime()).toBe(end)
  expect(await make({ clock: createManualClock(end - 31 * dayMs) })).toEqual(first)

  const second = await make({ clock: createManualClock(end - 29 * dayMs) })
  expect([second.isCaReplaced, second.caExpiresAtMs]).toEqual([true, end + 336 * dayMs])
  const authority = new X509Certificate(first.ca)
  expect(new X509Certificate(second.ca).publicKey.equals(authority.publicKey)).toBe(true)
  expect(new X509Certificate(second.cert).verify(authority.publicKey)).toBe(true)
})

test.each([
  '127.9.9.9',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.1.1',
  '::1',
  'fd12::1',
  'fe80::1',
])('%s is a private address', (address) => expect(isPrivateAddress(address)).toBe(true))

test.each([
  '9.255.255.255',
  '11.0.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.169.0.1',
  '203.0.113.7',
  '::2',
  '2001:db8::1',
  'fec0::1',
])('%s is not a private address', (address) => expect(isPrivateAddress(address)).toBe(false))

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
