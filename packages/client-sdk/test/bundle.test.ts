/** What bundlers make of the package. */
import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const forBrowsers = ['index', 'popup', 'watch', 'air', 'indexed-db', 'keyv']

test.each(forBrowsers)('the entry "%s" needs nothing of Node', async (entry) => {
  const { outputFiles, metafile } = await bundle(entry)

  const modules = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(modules.filter((path) => builtinModules.includes(path.replace('node:', '')))).toEqual([])
  expect(outputFiles[0]?.text).not.toMatch(/\b(?:require|Buffer|__dirname)\b/)
})

test('the main entry has no code of the others', async () => {
  const { metafile } = await bundle('index')

  const files = Object.keys(metafile.inputs).filter((file) => file.includes('client-sdk/src/'))
  expect(files.filter((file) => /popup\.ts|watch|\/air|indexed-db|file|keyv|testing|contract/.test(file))).toEqual([])
})

function bundle(entry: string) {
  return build({
    entryPoints: [fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url))],
    conditions: ['@posrep/source'],
    platform: 'browser',
    format: 'esm',
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
}
