import { cpSync, mkdirSync } from 'node:fs'
import { defineConfig } from 'tsup'
import { build } from '../../tsup.base.ts'
import { buildMap } from './build/map.ts'

const library = { index: 'src/index.ts', air: 'src/air.ts', contracts: 'src/contracts.ts' }
const programs = {
  'bin/serve': 'src/bin/serve.ts',
  'sqlite-worker': 'src/adapters/sqlite/worker.ts',
  'sqlite-checkpoint-thread': 'src/adapters/sqlite/database/checkpoint-thread.ts',
  'report-reader-thread': 'src/reports/report-reader-thread.ts',
  'air-thread': 'src/air/thread/air-thread.ts',
}

/** Copied, because the package itself is much larger and runs an analytics script when it is installed. */
function copySwaggerUi(): void {
  const files = ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css', 'LICENSE', 'NOTICE']
  mkdirSync('dist/swagger-ui', { recursive: true })
  for (const file of files) cpSync(`node_modules/swagger-ui-dist/${file}`, `dist/swagger-ui/${file}`)
}

async function copyAndBuild(): Promise<void> {
  copySwaggerUi()
  await buildMap()
}

export default defineConfig(
  build(
    { ...library, ...programs },
    { platform: 'node', target: 'node24', dts: { entry: library }, onSuccess: copyAndBuild },
  ),
)
