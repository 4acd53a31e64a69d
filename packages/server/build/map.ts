/**
 * Builds what the map of the air picture needs in browsers: its scripts in one file each, land in three
 * resolutions, and places.
 * In: src/pages/map, and land and places of @posrep/air. Out: files in dist/map. They are stored compressed, because
 * they are only ever sent.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'

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
  for (const name of ['land/land-110m', 'land/land-50m', 'land/land-10m']) compress(name)
  for (const name of ['places/large', 'places/small', 'places/airports']) compress(name)
}

function compress(name: string): void {
  const bytes = readFileSync(new URL(import.meta.resolve(`@posrep/air/${name}.bin`)))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${folder}/${basename(name)}.br`, brotliCompressSync(bytes, { params }))
}
