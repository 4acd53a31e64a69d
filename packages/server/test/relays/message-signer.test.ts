import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createMessageSigner, type MessageSigner } from '../../src/relays/message-signer.ts'

const signers: MessageSigner[] = []
afterEach(async () => {
  await Promise.all(signers.splice(0).map((signer) => signer.close()))
})

const aKey = () => generateKeyPairSync('ed25519')

/** The thread gets little of a busy machine; where it matters a test says how long it may take. */
function aSigner(getKey: () => KeyObject, patienceMs = 60_000): MessageSigner {
  const signer = createMessageSigner({ getKey, hasThread: true, patienceMs })
  signers.push(signer)
  return signer
}

const texts = (count: number, length = 100) =>
  Array.from({ length: count }, (_, index) => Buffer.from(`msg_${index}.1000.`.padEnd(length, 'ü')))

function isVerified(text: Buffer, signature: string | undefined, key: KeyObject): boolean {
  return verify(null, text, key, Buffer.from(signature ?? '', 'base64'))
}

async function signAll(signer: MessageSigner, all: Buffer[]): Promise<(string | undefined)[]> {
  return Promise.all(all.map((text) => signer.signAhead(text).made()))
}

/** The key is asked for once for each text that is signed here, and once for 16 of the thread. */
async function countKeys(signer: MessageSigner, all: Buffer[], key: { asked: number }): Promise<number> {
  key.asked = 0
  await signAll(signer, all)
  return key.asked
}

async function aSignerWithThread(patienceMs?: number) {
  const pair = aKey()
  const key = { ...pair, asked: 0 }
  const signer = aSigner(() => {
    key.asked++
    return key.privateKey
  }, patienceMs)
  while ((await countKeys(signer, texts(8), key)) > 1);
  return { signer, key }
}

test('signatures of many texts come from the thread, each for its own text', async () => {
  const { signer, key } = await aSignerWithThread()
  const all = [...texts(20), ...texts(3, 100_000)]

  expect(await countKeys(signer, all, key)).toBe(2)
  const signatures = await signAll(signer, all)
  expect(all.map((text, index) => isVerified(text, signatures[index], key.publicKey))).toEqual(all.map(() => true))
  expect(new Set(signatures).size).toBe(all.length)
})

test.skipIf(process.platform !== 'linux')('the thread gives way to the event loop where both want a core', async () => {
  await aSignerWithThread()

  expect(readdirSync('/proc/self/task').map(niceOf)).toContain((niceOf(String(process.pid)) ?? 0) + 10)
})

/** Undefined for a thread that has ended. */
function niceOf(thread: string): number | undefined {
  try {
    // Field 19; the second one, in brackets, may hold anything.
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return Number(fields?.[16])
  } catch {
    return undefined
  }
}

test('what comes in a few turns of the event loop goes to the thread together', async () => {
  const { signer, key } = await aSignerWithThread()
  const all = texts(6)

  key.asked = 0
  const signing: Promise<string | undefined>[] = []
  for (const text of all) {
    signing.push(signer.signAhead(text).made())
    if (signing.length % 2 === 0) await setImmediate()
  }
  const signatures = await Promise.all(signing)

  expect(key.asked).toBe(1)
  expect(all.every((text, index) => isVerified(text, signatures[index], key.publicKey))).toBe(true)
})

test('few short texts are signed here, and so is what the thread has no room for', async () => {
  const { signer, key } = await aSignerWithThread()

  expect(await countKeys(signer, texts(3), key)).toBe(3)
  expect(await countKeys(signer, texts(1, 40_000), key)).toBe(1)
  const many = texts(1_100)
  expect(await countKeys(signer, many, key)).toBe(1_024 / 16 + 1_100 - 1_024)
  const signatures = await signAll(signer, many)
  expect(many.every((text, index) => isVerified(text, signatures[index], key.publicKey))).toBe(true)
})

test('once the key is rotated the thread signs with the new one', async () => {
  const { signer, key } = await aSignerWithThread()
  const former = key.publicKey
  Object.assign(key, aKey())
  const all = texts(8)

  const signatures = await signAll(signer, all)

  expect(key.publicKey).not.toBe(former)
  expect(all.every((text, index) => isVerified(text, signatures[index], key.publicKey))).toBe(true)
})

test('what the thread has not signed when it ends is signed here', async () => {
  const { signer, key } = await aSignerWithThread()
  const all = texts(100)

  const signing = signAll(signer, all)
  await setImmediate()
  await signer.close()

  const signatures = await signing
  expect(all.every((text, index) => isVerified(text, signatures[index], key.publicKey))).toBe(true)
})

test('what the thread does not sign in time is signed here, and each has its own signature', async () => {
  const { signer, key } = await aSignerWithThread(20)
  const all = texts(24, 3_000_000)

  expect(await countKeys(signer, all, key)).toBeGreaterThan(2)
  const signatures = await signAll(signer, all)
  expect(all.every((text, index) => isVerified(text, signatures[index], key.publicKey))).toBe(true)
})

test('without a key nothing is signed ahead, and whoever signs now is told', async () => {
  const { signer } = await aSignerWithThread()
  const keyless = aSigner(() => {
    throw new Error('No key')
  })

  expect(await signAll(keyless, texts(8))).toEqual(texts(8).map(() => undefined))
  expect(() => keyless.sign(Buffer.from('text'))).toThrow('No key')
  expect(await signer.signAhead(Buffer.from('text')).made()).toHaveLength(88)
})
