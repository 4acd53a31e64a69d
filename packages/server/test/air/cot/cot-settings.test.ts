import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resolveSettings } from '../../../src/settings/resolve-settings.ts'
import { aServer } from '../../a-server.ts'
import { aPicture, aTrack, picturesOf } from '../a-picture.ts'
import { aTakServer, someCertificates } from './a-tak-server.ts'

async function aFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-cot-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
}

const toDestination = (port: number, files: Record<string, string>) =>
  `acme=tls://localhost:${port}?${new URLSearchParams(files)}`

test('--air-cot sends the picture of its account, over TLS with the certificates of the destination', async () => {
  const write = await aFolder()
  const { ca, server: own, client } = await someCertificates()
  const tak = await aTakServer({ tls: { ...own, ca } })
  const pictures = { acme: aPicture({ tracks: [aTrack({ id: 't1' })] }), other: aPicture({ tracks: [aTrack()] }) }
  const server = await aServer({
    air: picturesOf(pictures),
    flags: {
      'air-cot': toDestination(tak.port, {
        ca: await write('ca.pem', ca),
        cert: await write('client.pem', client.cert),
        key: await write('client-key.pem', client.key),
      }),
    },
  })
  onTestFinished(() => server.stop())

  expect((await tak.received(1)).map((event) => event['@uid'])).toEqual(['posrep.acme.t1'])
})

test('a file that is missing or has no certificate is a wrong setting', async () => {
  const write = await aFolder()
  const empty = await write('empty.pem', 'nothing')
  const start = (files: Record<string, string>) => aServer({ flags: { 'air-cot': toDestination(8089, files) } })

  await expect(start({ ca: '/nowhere/ca.pem' })).rejects.toMatchObject({
    name: 'SettingsError',
    message: expect.stringContaining('"ca" of --air-cot "/nowhere/ca.pem" cannot be read'),
  })
  await expect(start({ ca: empty })).rejects.toMatchObject({
    name: 'SettingsError',
    message: expect.stringContaining('"ca" of --air-cot must be a PEM file with a certificate'),
  })
  await expect(start({ cert: empty, key: empty })).rejects.toMatchObject({
    name: 'SettingsError',
    message: expect.stringContaining('cannot be used'),
  })
})

test('--air-cot is refused when the air picture is off', () => {
  const flags = { air: 'off', 'air-cot': 'acme=tcp://localhost:8087' }

  expect(() => resolveSettings({ flags, environment: {} })).toThrow(
    '--air-cot sends the air picture, which --air off switches off',
  )
})
