import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { signJwt, toJwsSignature } from '../../../src/identity/tokens/sign-jwt.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

// One signature in 128 has a short integer, and another one in 128 a leading zero: a thousand contain all kinds.
test('jose verifies a thousand tokens with integers of every length', async () => {
  const claims = { sub: 'user-pilot', name: 'Ünal "quoted" 航空' }

  for (let n = 0; n < 1_000; n++) {
    const token = await signJwt({ typ: 'at+jwt', claims: { ...claims, n }, signer: { kid: 'first', key: privateKey } })
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, { algorithms: ['ES256'], typ: 'at+jwt' })
    expect(payload).toEqual({ ...claims, n })
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'first' })
  }
})

test.each([
  { kind: 'of 32 bytes', r: '11'.repeat(32), s: '22'.repeat(32) },
  { kind: 'with a zero in front', r: `00${'ff'.repeat(32)}`, s: `00${'80'.repeat(32)}` },
  { kind: 'shorter', r: '7f'.repeat(31), s: '01' },
])('integers $kind take 32 bytes each', ({ r, s }) => {
  const integer = (hex: string) => `02${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`
  const body = `${integer(r)}${integer(s)}`
  const der = Buffer.from(`30${(body.length / 2).toString(16).padStart(2, '0')}${body}`, 'hex')

  const fixed = (hex: string) => hex.slice(-64).padStart(64, '0')
  expect(toJwsSignature(der).toString('hex')).toBe(`${fixed(r)}${fixed(s)}`)
})
