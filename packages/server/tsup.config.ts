import { defineConfig } from 'tsup'
import { build } from '../../tsup.base.ts'
import { buildMap } from './build/map.ts'

const library = { index: 'src/index.ts', contracts: 'src/contracts.ts' }
const programs = {
  'bin/serve': 'src/bin/serve.ts',
  'sqlite-worker': 'src/adapters/sqlite/worker.ts',
  'sqlite-checkpoint-thread': 'src/adapters/sqlite/database/checkpoint-thread.ts',
  'report-reader-thread': 'src/reports/report-reader-thread.ts',
  'air-thread': 'src/air/thread/air-thread.ts',
}

export default defineConfig(
  build(
    { ...library, ...programs },
    {
      platform: 'node',
      target: 'node24',
      dts: { entry: library },
      // The agent of the demo is bundled; it imports this only for a proxy, and the demo has none.
      external: ['https-proxy-agent'],
      onSuccess: buildMap,
    },
  ),
)
