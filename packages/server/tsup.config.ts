import { defineConfig } from 'tsup'
import { build } from '../../tsup.base.ts'

const library = { index: 'src/index.ts', contracts: 'src/contracts.ts' }
const programs = {
  'bin/serve': 'src/bin/serve.ts',
  'sqlite-worker': 'src/adapters/sqlite/worker.ts',
  'sqlite-checkpoint-thread': 'src/adapters/sqlite/database/checkpoint-thread.ts',
  'report-reader-thread': 'src/reports/report-reader-thread.ts',
}

export default defineConfig(
  build({ ...library, ...programs }, { platform: 'node', target: 'node24', dts: { entry: library } }),
)
