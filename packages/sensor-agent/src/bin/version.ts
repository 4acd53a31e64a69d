/** The version of this package, from its package.json; the bundler of the single executable writes it in. */
import { createRequire } from 'node:module'

declare const bundledVersion: string | undefined

export const version = typeof bundledVersion === 'string' ? bundledVersion : readVersion()

function readVersion(): string {
  const read = createRequire(import.meta.url)
  // src/bin/version.ts and dist/bin/agent.js are at the same depth.
  const { version } = read('../../package.json') as { version: string }
  return version
}
