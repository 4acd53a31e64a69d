/**
 * A TAK server for tests: takes events over TCP, or over TLS with client certificates. Out: the events, parsed as
 * strict XML.
 */
import 'reflect-metadata'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls from 'node:tls'
import * as x509 from '@peculiar/x509'
import { onTestFinished, vi } from 'vitest'
import { currentTimeMs } from '../../../../../testing/real-time.ts'
import { type CotEvent, parseEvent } from '../../../../air/test/formats/a-cot-event.ts'

export interface TakServer {
  port: number
  /** Text that has arrived, of all connections. */
  text(): string
  /** Events that have arrived, split as TAK does: after each `</event>`. */
  events(): CotEvent[]
  /** Resolves when this many events have arrived in all. */
  received(count: number): Promise<CotEvent[]>
  connections(): number
  open(): Socket[]
}

export interface TakOptions {
  port?: number
  tls?: { cert: string; key: string; ca: string }
  /** The server reads nothing. */
  isDeaf?: boolean
}

export async function aTakServer({ port = 0, tls: secure, isDeaf = false }: TakOptions = {}): Promise<TakServer> {
  let text = ''
  let connections = 0
  const sockets = new Set<Socket>()
  const onSocket = (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (isDeaf) socket.pause()
    else {
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      // A real server sends what other clients report, which must not fill a buffer.
      socket.write('<event/>'.repeat(1_000))
    }
  }
  const server = secure
    ? tls.createServer({ ...secure, requestCert: true, rejectUnauthorized: true }, onSocket)
    : net.createServer(onSocket)
  server.on('tlsClientError', () => {})
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const events = () => (text.match(/.*?<\/event>/gs) ?? []).map(parseEvent)

  return {
    // A server that listens on TCP has an AddressInfo.
    port: (server.address() as AddressInfo).port,
    text: () => text,
    events,
    async received(count) {
      await vi.waitUntil(() => text.split('</event>').length > count)
      return events()
    },
    connections: () => connections,
    open: () => [...sockets],
  }
}

/** A certificate authority, and certificates of a server named localhost and of a client. PEM texts. */
export async function someCertificates() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const createKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const dates = { notBefore: new Date(currentTimeMs() - 3_600_000), notAfter: new Date(currentTimeMs() + 86_400_000) }
  const caKeys = await createKeys()
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=TAK CA',
    keys: caKeys,
    signingAlgorithm: algorithm,
    ...dates,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  })
  async function issue(name: string, usage: x509.ExtendedKeyUsage) {
    const keys = await createKeys()
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: ca.subject,
      publicKey: keys.publicKey,
      signingKey: caKeys.privateKey,
      signingAlgorithm: algorithm,
      ...dates,
      extensions: [
        new x509.ExtendedKeyUsageExtension([usage]),
        new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
      ],
    })
    const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
    return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') }
  }
  return {
    ca: ca.toString('pem'),
    server: await issue('localhost', x509.ExtendedKeyUsage.serverAuth),
    client: await issue('posrep', x509.ExtendedKeyUsage.clientAuth),
  }
}
