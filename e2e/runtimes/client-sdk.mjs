/**
 * The same plain program on every run-time: signs in, calls, refreshes, signs out.
 * In: POSREP, the options of createPosrep(), and DEVICE, a URN; prints the address of the sign-in page, and reads the
 * callback from standard input. Out: "ok", exit 0.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ApiError, createPosrep, memoryTokenStore, SessionError } from '@posrep/client-sdk'
import { fileTokenStore } from '@posrep/client-sdk/file'

const urn = process.env.DEVICE
let refreshes = 0

function open(tokenStore) {
  return createPosrep({
    ...JSON.parse(process.env.POSREP),
    tokenStore,
    async fetch(request) {
      if (request.url.endsWith('/token')) refreshes += 1
      return fetch(request)
    },
  })
}

// Sign-in.
const store = memoryTokenStore()
const posrep = open(store)
const { url, pending } = await posrep.startSignIn()
console.log(url)
await posrep.completeSignIn(pending, await readLine())
assert.deepEqual(
  (await posrep.listDevices()).data.map(({ deviceId }) => deviceId),
  [urn],
)

// 50 calls with an access token that the service refuses: one refresh.
const tokens = await store.read()
await store.write({ ...tokens, accessToken: `${tokens.accessToken}x` })
refreshes = 0
await Promise.all(Array.from({ length: 50 }, () => posrep.getDevice(urn)))
assert.equal(refreshes, 1)

// A call with a body, errors with a code, a signal.
const renamed = await posrep.changeDevice(urn, { deviceName: 'Roof, west' })
assert.equal(renamed.deviceName, 'Roof, west')
await assert.rejects(
  posrep.getDevice(`${urn}x`),
  (error) => error instanceof ApiError && error.code === 'not_found' && error.status === 404,
)
await assert.rejects(posrep.getDevice(urn, { signal: AbortSignal.abort() }), { name: 'AbortError' })

// A file keeps the session for the next process.
const folder = await mkdtemp(join(tmpdir(), 'posrep-runtime-'))
const file = join(folder, 'tokens.json')
const current = await store.read()
await fileTokenStore({ file }).write({ ...current, accessToken: `${current.accessToken}x` })
refreshes = 0
const [first, second] = [open(fileTokenStore({ file })), open(fileTokenStore({ file }))]
await Promise.all([first.getDevice(urn), second.getDevice(urn)])
assert.equal(refreshes, 1)

// After signing out, calls say so.
await second.signOut()
await assert.rejects(first.getDevice(urn), (error) => error instanceof SessionError && error.code === 'login_required')
await rm(folder, { recursive: true })
console.log('ok')

function readLine() {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin })
    lines.once('line', (line) => {
      lines.close()
      resolve(line)
    })
  })
}
