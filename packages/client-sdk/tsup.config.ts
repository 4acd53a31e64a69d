import { defineConfig } from 'tsup'
import { build } from '../../tsup.base.ts'

const entries = [
  'index',
  'device-urn',
  'popup',
  'sign-out',
  'watch',
  'lists',
  'air',
  'indexed-db',
  'file',
  'keyv',
  'testing',
  'contract',
]

export default defineConfig(
  build(Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])), {
    // Only the entries file and contract need Node.
    external: [/^node:/],
  }),
)
