/** `--relay-ca`: relays with certificates of their own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Device } from '@posrep/spec'
import { expect, onTestFinished, test } from 'vitest'
import { aServer, roof1 } from '../a-server.ts'
import { aCertificate, aRelay } from './a-relay.ts'

test('a relay whose certificate is in the file of --relay-ca is accepted, and is refused without it', async () => {
  const certificate = await aCertificate(['localhost'])
  const file = await aFile(certificate.ca)
  const relay = await aRelay(certificate, (_request, response, body) => response.end(JSON.parse(body).validationCode), {
    name: 'localhost',
  })

  expect(await stateWith({ 'relay-ca': file }, relay.url)).toBe('Active')
  expect(await stateWith({}, relay.url)).toBe('Failed')
})

test.each([
  ['that is not there', 'nowhere.pem', 'cannot be read'],
  ['without a certificate', undefined, 'must be a PEM file with a certificate'],
])('a file %s ends the start with an error that names it', async (_what, name, message) => {
  const file = name ?? (await aFile('not PEM'))
  await expect(aServer({ flags: { 'relay-ca': file } })).rejects.toThrow(message)
})

async function stateWith(flags: Record<string, string>, url: URL): Promise<string | undefined> {
  const server = await aServer({ flags: { 'allow-private-relays': true, ...flags } })
  onTestFinished(() => server.stop())
  const response = await server.post(`/v1/devices/${roof1}/relay`, await server.userToken(), {
    url: url.href,
    state: 1,
  })
  const device = (await response.json()) as Device
  return device.relayDetails?.state
}

async function aFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-relay-ca-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'relay-ca.pem')
  await writeFile(file, text)
  return file
}
