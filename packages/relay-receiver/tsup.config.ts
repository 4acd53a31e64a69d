import { defineConfig } from 'tsup'
import { build } from '../../tsup.base.ts'

export default defineConfig(
  build(
    {
      index: 'src/index.ts',
      'adapters/express': 'src/adapters/express.ts',
      'adapters/node': 'src/adapters/node.ts',
      'bin/relay': 'src/bin/relay.ts',
      'outputs/event-stream': 'src/outputs/event-stream.ts',
      'outputs/latest-positions': 'src/outputs/latest-positions.ts',
      'outputs/ndjson-recorder': 'src/outputs/ndjson-recorder.ts',
      'stores/contract': 'src/stores/contract.ts',
      'stores/keyv': 'src/stores/keyv.ts',
      'testing/testing': 'src/testing/testing.ts',
    },
    // The entries for every runtime import nothing of Node; .dependency-cruiser.mjs checks it.
    { platform: 'node' },
  ),
)
