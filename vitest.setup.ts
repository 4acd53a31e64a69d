/** Runs before each test file. */
import { vi } from 'vitest'

/** Vitest waits for a second unless a test says otherwise; on a busy machine a right answer may take longer. */
const patience = { timeout: 10_000 }

const { waitFor, waitUntil } = vi
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options) {
    return waitFor(callback, typeof options === 'number' ? options : { ...patience, ...options })
  }
  vi.waitUntil = (callback, options) =>
    waitUntil(callback, typeof options === 'number' ? options : { ...patience, ...options })
}
