import { defineConfig } from 'tsup'
import { build } from '../../tsup.base.ts'

export default defineConfig(
  build({
    index: 'src/index.ts',
    validators: 'src/validators.ts',
    msw: 'src/msw.ts',
    fakes: 'src/fakes.ts',
    operations: 'src/operations.ts',
    identifiers: 'src/identifiers.ts',
  }),
)
