import { expect, test } from 'vitest'
import { createMemoryDirectory } from '../../../src/adapters/memory/directory.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { dropKey } from '../../../src/identity/keys/drop-key.ts'
import { loadKeys, rotateKeys } from '../../../src/identity/keys/keys.ts'
import { createSealer } from '../../../src/identity/keys/sealer.ts'

const day = 24 * 60 * 60_000

async function aDeployment() {
  const clock = createManualClock()
  const directory = createMemoryDirectory()
  const aProcess = async () => {
    const keys = await loadKeys({ directory, clock })
    return { ...createSealer(keys), kid: keys.accessToken.kid, deriveSecrets: keys.deriveSecrets }
  }
  return { clock, directory, aProcess }
}

test('another process opens what was sealed, and the sealed text does not show it', async () => {
  const { aProcess } = await aDeployment()
  const { seal } = await aProcess()

  const sealed = seal('what "nobody" reads: \u0001ü🛰', 'browser')

  expect(sealed).toMatch(/^[\w-]+$/)
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('nobody')
  expect((await aProcess()).open(sealed, 'browser')).toBe('what "nobody" reads: \u0001ü🛰')
  expect(seal('', 'browser')).not.toBe(seal('', 'browser'))
})

test('nothing is opened that was changed, cut, or sealed for another browser', async () => {
  const { aProcess } = await aDeployment()
  const { seal, open } = await aProcess()
  const sealed = seal('text', 'browser')
  const bytes = Buffer.from(sealed, 'base64url')
  const changed = Array.from(bytes, (byte, at) => Buffer.from(bytes.with(at, byte ^ 1)).toString('base64url'))

  for (const wrong of [...changed, sealed.slice(0, -2), sealed.slice(0, 20), '', 'x'.repeat(100)])
    expect(open(wrong, 'browser')).toBeUndefined()
  expect(open(sealed, 'another browser')).toBeUndefined()
})

test('a rotated key still opens; a dropped key opens nothing', async () => {
  const { clock, directory, aProcess } = await aDeployment()
  const { seal, kid } = await aProcess()
  const sealed = seal('text', 'browser')

  await rotateKeys({ directory, clock })
  await clock.advance(11 * 60_000)
  const rotated = await aProcess()
  expect(rotated.kid).not.toBe(kid)
  expect(rotated.open(sealed, 'browser')).toBe('text')
  await dropKey(kid, { directory, clock })
  expect((await aProcess()).open(sealed, 'browser')).toBeUndefined()
  await clock.advance(2 * day)
  expect((await aProcess()).open(rotated.seal('new', 'browser'), 'browser')).toBe('new')
})

test('secrets differ by purpose and are not the key itself', async () => {
  const { aProcess, directory } = await aDeployment()
  const { deriveSecrets } = await aProcess()
  const [key] = await directory.list('signingKey', { where: { index: 'use', equals: 'access-token' } })

  const secrets = ['one', 'other'].map((purpose) => deriveSecrets(purpose)[0]?.toString('base64url'))

  expect(new Set([...secrets, key?.privateJwk.d]).size).toBe(3)
  expect(secrets.map((secret) => secret?.length)).toEqual([43, 43])
})
