/** Processes that share the identity of a paired sensor, at a server that takes each refresh token once. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { fileTokenStore, pairing } from '@posrep/sensor-agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser } from '../parts/a-user.ts'
import { deviceUrn, seed } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

const refreshes = 10
/** Renews the token again and again, as an agent does after a 401. */
const refreshing = `
import { fileTokenStore, pairing } from '@posrep/sensor-agent'
const [ingest, file] = process.argv.slice(2)
const tokens = pairing({ ingestOrigin: new URL(ingest), localId: 'roof1', store: fileTokenStore(file), timeoutMs: 0 })
for (let n = 0; n < ${refreshes}; n += 1) await tokens.refresh(await tokens.get())
`

let location: ServerLocation
let server: ServerProcess

beforeAll(async () => {
  location = await aServerLocation(seed)
  server = await startServer(location, '--seed', `${location.folder}/seed.json`, '--refresh-grace-seconds', '0')
  trust(server.certificate.ca)
})
afterAll(async () => {
  await server.stop()
  await location.remove()
})

test('processes that refresh the same identity at once do not end its pairing', async () => {
  const file = `${location.folder}/identity.json`
  const { ingestOrigin } = server.ready
  const tokens = pairing({ ingestOrigin: new URL(ingestOrigin), localId: 'roof1', store: fileTokenStore(file) })
  await (await aUser(server)).createPairingRequest(deviceUrn)
  const first = await tokens.get()

  const program = `${location.folder}/refreshing.mjs`
  const resolved = import.meta.resolve('@posrep/sensor-agent')
  await writeFile(program, refreshing.replace('@posrep/sensor-agent', resolved))
  const ca = `${location.folder}/ca.pem`
  await writeFile(ca, server.certificate.ca)
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca, NODE_OPTIONS: '' }
  const run = () => promisify(execFile)(process.execPath, [program, ingestOrigin, file], { env })
  await Promise.all([run(), run(), run()])

  const last = await tokens.refresh(first)
  expect(last).not.toBe(first)
  expect(await tokens.refresh(last)).not.toBe(last)
})
