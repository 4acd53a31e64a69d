import { basename } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests read the packages' sources; journeys in e2e/ start what was built. */
const source = '@posrep/source'
const conditions = [source, 'node', 'module', 'development|production']

/** Files that take longest, mostly waiting. They start first, so that none of them runs alone at the end. */
const longest = [
  'scale-processes',
  'tabs',
  'soak-kills',
  'admin',
  'portal',
  'report-way',
  'owners-function',
  'redis-network',
  'slow-clients',
  'disk',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.indexOf(basename(moduleId, '.test.ts'))
      return moduleId.includes('/e2e/') && index >= 0 ? index : longest.length
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** Threads and processes of tests load the same sources again and again: Node.js keeps what it has compiled of them. */
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/compiled`

const setup = `${import.meta.dirname}/vitest.setup.ts`

const packages = ['spec', 'client-sdk', 'sensor-agent', 'relay-receiver', 'server'].map((name) => ({
  extends: true as const,
  test: {
    name,
    root: `packages/${name}`,
    include: ['test/**/*.test.{ts,tsx}'],
    // Importing the sources costs more than most files take; tests share no state through modules.
    isolate: false,
    setupFiles: [setup, ...(name === 'server' ? [`${import.meta.dirname}/packages/server/test/setup.ts`] : [])],
    // For what hangs; a machine may be slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}))

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: [source] } },
  test: {
    // As `vitest.setup.ts` for `vi.waitFor`.
    expect: { poll: { timeout: 10_000 } },
    // Two more than the cores of CI, because journeys mostly wait for other processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      ...packages,
      {
        extends: true,
        test: {
          name: 'e2e',
          root: 'e2e',
          include: ['**/*.test.ts'],
          setupFiles: [setup],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
