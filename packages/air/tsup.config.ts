import { defineConfig } from 'tsup'
import { build } from '../../tsup.base.ts'
import { buildGround } from './build/build-ground.ts'

export default defineConfig(
  build(
    {
      index: 'src/index.ts',
      alerts: 'src/alerts.ts',
      altitudes: 'src/altitudes.ts',
      correlation: 'src/correlation.ts',
      formats: 'src/formats.ts',
      map: 'src/map.ts',
      standard: 'src/standard.ts',
      words: 'src/words.ts',
    },
    { onSuccess: buildGround },
  ),
)
