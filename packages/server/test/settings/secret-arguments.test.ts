import { expect, test } from 'vitest'
import { resolveSettings, warningsOf } from '../../src/settings/resolve-settings.ts'

test.each([
  ['metrics-token', 'a:b'],
  ['redis', 'redis://:s3cret@localhost:6379'],
])('a secret in --%s works, and a warning names the variable that hides it, not the secret', (name, value) => {
  const [warning = '', ...more] = warningsOf({ [name]: value })

  expect(more).toEqual([])
  expect(warning).toContain(`POSREP_${name.toUpperCase().replace('-', '_')}`)
  expect(warning).not.toContain(value)
  expect(Object.values(resolveSettings({ flags: { [name]: value }, environment: {} }))).toContain(value)
})

test('a Redis without a password, and other settings, are no secrets', () => {
  expect(warningsOf({ redis: 'redis://localhost:6379', port: '8443', memory: true })).toEqual([])
})
