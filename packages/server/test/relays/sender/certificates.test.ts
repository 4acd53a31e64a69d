/** Certificates that the sender refuses. */
// @peculiar/x509 asks for this polyfill to be loaded before it.
import 'reflect-metadata'
import { KeyObject } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as x509 from '@peculiar/x509'
import { expect, test } from 'vitest'
import { currentTimeMs } from '../../../../../testing/real-time.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { aCertificate, aConnection, aRelay } from '../a-relay.ts'

const rsa = (modulusLength: number, hash: string) => ({
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash,
})

/** For `relay.test`, of an authority with a good key. */
async function anRsaCertificate(leaf: ReturnType<typeof rsa>, signature: ReturnType<typeof rsa>) {
  const authority = await crypto.subtle.generateKey(signature, true, ['sign', 'verify'])
  const keys = await crypto.subtle.generateKey(leaf, true, ['sign', 'verify'])
  const dates = { notBefore: new Date(currentTimeMs() - 86_400_000), notAfter: new Date(currentTimeMs() + 86_400_000) }
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...dates,
    name: 'CN=Authority',
    keys: authority,
    signingAlgorithm: rsa(2_048, 'SHA-256'),
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  })
  const cert = await x509.X509CertificateGenerator.create({
    ...dates,
    subject: 'CN=relay.test',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: signature,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'relay.test' }])],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: cert.toString('pem'), key: String(key), ca: ca.toString('pem') }
}

/** Sends a message to a relay with this certificate. Returns the status or the reason of the failure. */
async function posted(certificate: { cert: string; key: string; ca: string }): Promise<unknown> {
  // By default OpenSSL refuses to serve such a certificate.
  const relay = await aRelay(certificate, undefined, { ciphers: 'DEFAULT@SECLEVEL=0' })
  const answered = aConnection({ extraCa: certificate.ca }).post(relay.url, { body: '', headers: {} })
  return answered.then(
    ({ status }) => status,
    ({ message }) => message,
  )
}

const notAccepted = 'The TLS certificate of the relay was not accepted'

test.each<[string, string | number, number, string]>([
  ['with an RSA key of 1,024 bits is refused', notAccepted, 1_024, 'SHA-256'],
  ['that is signed with SHA-1 is refused', notAccepted, 2_048, 'SHA-1'],
  ['with an RSA key of 2,048 bits is accepted', 200, 2_048, 'SHA-256'],
])('a certificate %s', async (_what, outcome, bits, hash) => {
  const certificate = await anRsaCertificate(rsa(bits, 'SHA-256'), rsa(2_048, hash))
  expect(await posted(certificate)).toBe(outcome)
})

test('an expired certificate is refused', async () => {
  const past = createManualClock(currentTimeMs() - 3 * 365 * 24 * 3_600_000)
  const expired = await aCertificate(['relay.test'], past)
  const relay = await aRelay(expired)
  const posting = aConnection({ extraCa: expired.ca }).post(relay.url, { body: '', headers: {} })
  await expect(posting).rejects.toMatchObject({ code: 'certificate_refused' })
})

/** `pnpm soak --certificates N` sets a higher number. */
const certificates = Number(process.env.SOAK_CERTIFICATES ?? 500)

test(
  'refused certificates leak no connections and no memory',
  async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const relay = await aRelay(await aCertificate())
    const connection = aConnection()
    const refuse = async (times: number) => {
      for (let n = 0; n < times; n += 10) {
        const posts = Array.from({ length: 10 }, () =>
          connection.post(relay.url, { body: '{}', headers: {} }).catch(({ code }) => code),
        )
        expect(new Set(await Promise.all(posts))).toEqual(new Set(['certificate_refused']))
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = await refuse(100)
    const after = await refuse(certificates)

    expect(after - before).toBeLessThan(2 * 1024 * 1024)
    expect(process.getActiveResourcesInfo().filter((name) => name.startsWith('TLS')).length).toBeLessThan(25)
    expect(relay.requests).toEqual([])
  },
  30_000 + certificates * 60,
)
