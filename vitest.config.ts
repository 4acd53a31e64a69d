import { defineConfig } from 'vitest/config'

/** Tests read the packages' sources; journeys in e2e/ start what was built. */
const source = '@posrep/source'
const conditions = [source, 'node', 'module', 'development|production']

const packages = ['spec', 'client-sdk', 'sensor-agent', 'relay-receiver', 'server'].map((name) => ({
  extends: true as const,
  test: {
    name,
    root: `packages/${name}`,
    include: ['test/**/*.test.{ts,tsx}'],
    // For what hangs; a machine may be slow.
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
}))

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: [source] } },
  test: {
    maxWorkers: 2,
    projects: [
      ...packages,
      {
        extends: true,
        test: { name: 'e2e', root: 'e2e', include: ['**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
    ],
  },
})
