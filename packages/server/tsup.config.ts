import { defineConfig } from 'tsup'
import { build } from '../../tsup.base.ts'

export default defineConfig(build({ index: 'src/index.ts', 'bin/serve': 'src/bin/serve.ts', 'sqlite-worker': 'src/adapters/sqlite/worker.ts' }, { platform: 'node' }))
