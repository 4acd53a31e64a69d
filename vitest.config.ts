import { defineConfig } from 'vitest/config'
import { hangsAfterMs } from './testing/real-time.ts'

/** Tests read the packages' sources; journeys in e2e/ start what was built. */
const source = '@posrep/source'
const conditions = [source, 'node', 'module', 'development|production']

/** Threads and processes of tests load the same sources again and again: Node.js keeps what it has compiled of them. */
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/compiled`

const setup = `${import.meta.dirname}/vitest.setup.ts`

/** For what hangs: a machine that does other work beside the tests may be slow. No test has a limit of its own. */
const limits = { testTimeout: 2 * hangsAfterMs, hookTimeout: 2 * hangsAfterMs }

/** The tests of a package. */
const facts = (name: string, root: string, ownSetup: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    root,
    include: ['test/**/*.test.{ts,tsx}'],
    // Importing the sources costs more than most files take; tests share no state through modules.
    isolate: false,
    setupFiles: [setup, ...ownSetup],
    ...limits,
  },
})

const packages = [
  facts('kernel', 'kernel'),
  ...['spec', 'client-sdk', 'sensor-agent', 'relay-receiver', 'air'].map((name) => facts(name, `packages/${name}`)),
  facts('server', 'packages/server', [`${import.meta.dirname}/packages/server/test/setup.ts`]),
]

/** Journeys through several packages. Those in core/ run with every `pnpm test`, all of them with `pnpm journeys`. */
const journeys = (name: string, test: { include: string[]; exclude?: string[] }) => ({
  extends: true as const,
  test: {
    name,
    root: 'e2e',
    setupFiles: [setup],
    ...limits,
    ...test,
  },
})

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: [source] } },
  test: {
    // As `vitest.setup.ts` for `vi.waitFor`.
    expect: { poll: { timeout: hangsAfterMs } },
    // Two more than the cores of CI, because journeys mostly wait for other processes.
    maxWorkers: 4,
    globalSetup: [`${import.meta.dirname}/testing/run-folder.ts`],
    projects: [
      ...packages,
      journeys('core', { include: ['core/*.test.ts'] }),
      journeys('journeys', { include: ['**/*.test.ts'], exclude: ['core/**', '**/node_modules/**'] }),
    ],
  },
})
