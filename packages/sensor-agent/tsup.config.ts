import { defineConfig } from 'tsup'
import { build } from '../../tsup.base.ts'

export default defineConfig(
  build(
    {
      index: 'src/index.ts',
      sources: 'src/sources.ts',
      contract: 'src/contract.ts',
      'file-spool': 'src/file-spool.ts',
      network: 'src/network.ts',
      'bin/agent': 'src/bin/agent.ts',
    },
    { platform: 'node' },
  ),
)
