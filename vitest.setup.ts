/** Runs before each test file. */
import { afterAll, vi } from 'vitest'
import { beginFile } from './testing/leftovers.ts'
import { hangsAfterMs } from './testing/real-time.ts'

/** Vitest waits for a second; on a busy machine a right answer may take longer. */
const patience = { timeout: hangsAfterMs }

const { waitFor, waitUntil } = vi
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options) {
    return waitFor(callback, typeof options === 'number' ? options : { ...patience, ...options })
  }
  vi.waitUntil = (callback, options) =>
    waitUntil(callback, typeof options === 'number' ? options : { ...patience, ...options })
}

// Registered before those of the file, so it runs after them.
afterAll(beginFile())
