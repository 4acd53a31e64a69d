/**
 * Builds what the map of the air picture needs in browsers: its scripts in one file each, and land in three resolutions.
 * In: src/pages/map, world-atlas. Out: files in dist/map. Land is stored compressed, because it is only ever sent.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { toLandBytes, type World } from './land.ts'

const folder = 'dist/map'

export async function buildMap(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: { air: 'src/pages/map/main.ts', 'air-feed': 'src/pages/map/feed/feed-worker.ts' },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  })
  for (const resolution of ['110m', '50m', '10m']) {
    const world: World = JSON.parse(readFileSync(`node_modules/world-atlas/countries-${resolution}.json`, 'utf8'))
    const bytes = toLandBytes(world)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${folder}/land-${resolution}.br`, brotliCompressSync(bytes, { params }))
  }
}
