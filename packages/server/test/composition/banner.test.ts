import { expect, test } from 'vitest'
import { toBanner } from '../../src/composition/banner.ts'

const origin = 'https://localhost:8443'
const ca = {
  caFile: '/data/development-ca.pem',
  caExpiresAtMs: Date.parse('2027-01-07T06:22:45Z'),
  isCaReplaced: false,
}
const banner = (given: typeof ca | undefined) =>
  toBanner({
    server: { origins: { auth: origin, ingest: origin, ui: origin } },
    version: '1.2.3',
    dataDir: '/data',
    colour: false,
    ca: given,
  })

test('the banner says how to trust the development CA, and when it has to be trusted again', () => {
  expect(banner(ca)).toContain('NODE_EXTRA_CA_CERTS=/data/development-ca.pem')
  expect(banner(ca)).toContain('it must be trusted again by 2027-01-07')
  expect(banner(ca)).not.toContain('made anew')
  expect(banner({ ...ca, isCaReplaced: true })).toContain('it was made anew at this start: trust it again')
  expect(banner(undefined)).not.toContain('CA')
})
