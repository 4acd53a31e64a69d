import { expect, test } from 'vitest'
import { createMemoryDirectory } from '../../../src/adapters/memory/directory.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { loadKeys } from '../../../src/identity/keys/keys.ts'
import { createKnownBrowsers } from '../../../src/identity/people/known-browser.ts'

async function aProcess(directory = createMemoryDirectory()) {
  return createKnownBrowsers(await loadKeys({ directory, clock: createManualClock() }))
}

test('every process recognises the browser, for the user who signed in and for no other', async () => {
  const directory = createMemoryDirectory()
  const value = (await aProcess(directory)).toValue('pilot@example.com')
  const { isKnown, toValue } = await aProcess(directory)

  expect(value).toMatch(/^[\w-]{43}$/)
  expect(isKnown(value, 'pilot@example.com')).toBe(true)
  expect(isKnown(value, 'other@example.com')).toBe(false)
  expect(toValue('pilot@example.com')).not.toBe(value)
})

test('a value that this deployment did not make is unknown', async () => {
  const { isKnown, toValue } = await aProcess()
  const value = toValue('pilot@example.com')
  const foreign = (await aProcess()).toValue('pilot@example.com')

  for (const wrong of [foreign, `A${value.slice(1)}B`.slice(0, 43), `${value.slice(0, 42)}A`, 'x'.repeat(43), ''])
    expect(wrong === value || !isKnown(wrong, 'pilot@example.com')).toBe(true)
})
