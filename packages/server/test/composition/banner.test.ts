import { expect, test } from 'vitest'
import { toBanner } from '../../src/composition/banner.ts'

const origin = 'https://localhost:8443'
const ca = {
  caFile: '/data/development-ca.pem',
  caExpiresAtMs: Date.parse('2027-01-07T06:22:45Z'),
  isCaReplaced: false,
}
const banner = (given: typeof ca | undefined, firstUser?: string[], seeded: string[] = []) =>
  toBanner({
    server: { origins: { auth: origin, ingest: origin, ui: origin }, seeded },
    version: '1.2.3',
    dataDir: '/data',
    colour: false,
    ca: given,
    firstUser,
  })

test('the banner says how to trust the development CA, and when it has to be trusted again', () => {
  expect(banner(ca)).toContain('NODE_EXTRA_CA_CERTS=/data/development-ca.pem')
  expect(banner(ca)).toContain('it must be trusted again by 2027-01-07')
  expect(banner(ca)).not.toContain('made anew')
  expect(banner({ ...ca, isCaReplaced: true })).toContain('it was made anew at this start: trust it again')
  expect(banner(undefined)).not.toContain('CA')
})

test('while there are no users, the banner has the commands that add one', () => {
  const shown = banner(undefined, ['posrep-server accounts add acme', 'posrep-server users add pilot@example.com'])
  expect(shown).toContain('  no users yet: run    posrep-server accounts add acme\n')
  expect(shown).toContain('                       posrep-server users add pilot@example.com\n')
  expect(banner(undefined)).not.toContain('no users')
})

test('the banner has what a seed file did, a line for each kind of outcome', () => {
  const shown = banner(undefined, undefined, ['created: account acme', 'left as they are: client fleet'])
  expect(shown).toContain('  seed                 created: account acme\n')
  expect(shown).toContain('                       left as they are: client fleet\n')
  expect(banner(undefined)).not.toContain('seed')
})

test('the banner ends with a box that says what to open, and as whom', () => {
  const of = (user?: { email: string; password: string }) =>
    toBanner({
      server: { origins: { auth: origin, ingest: origin, ui: origin }, seeded: [] },
      version: '1.2.3',
      dataDir: '/data',
      colour: false,
      ca: undefined,
      ...(user && { user }),
    })
      .trimEnd()
      .split('\n')
      .slice(-3)

  const [top, line, bottom] = of({ email: 'pilot@example.com', password: 'correct horse 42' })

  expect(line).toBe('  │ Open https://localhost:8443/ as pilot@example.com (correct horse 42) │')
  expect(line?.length).toBeLessThan(80)
  expect(top).toBe(`  ┌${'─'.repeat((line?.length ?? 0) - 4)}┐`)
  expect(bottom).toBe(`  └${'─'.repeat((line?.length ?? 0) - 4)}┘`)
  expect(of()[1]).toBe('  │ Open https://localhost:8443/ │')
})
