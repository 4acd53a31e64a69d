/** The command in one CommonJS file, with all its dependencies, for the single executable (pnpm build:sea). */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

export default defineConfig({
  entry: { 'posrep-agent': 'src/bin/agent.ts' },
  outDir: 'dist-sea',
  format: 'cjs',
  target: 'node24',
  platform: 'node',
  noExternal: [/./],
  define: { bundledVersion: JSON.stringify(version) },
  esbuildOptions(options) {
    options.conditions = ['@posrep/source']
    // Only the branch that `bundledVersion` replaces reads it.
    options.logOverride = { 'empty-import-meta': 'silent' }
  },
  minify: true,
  clean: true,
  silent: true,
  removeNodeProtocol: false,
})
