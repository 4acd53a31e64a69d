/**
 * The scripts of the pages: ES modules, published with the sources and served unchanged, and uPlot for charts. The
 * pages also work without them.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const names = [
  'main.js',
  'times.js',
  'live.js',
  'rows.js',
  'hold.js',
  'copy.js',
  'countdown.js',
  'forms.js',
  'charts.js',
] as const

function readScript(name: string): string {
  const file = import.meta.url.endsWith('.ts')
    ? new URL(`./browser/${name}`, import.meta.url)
    : new URL(import.meta.resolve(`#page-scripts/${name}`))
  return readFileSync(file, 'utf8')
}

function readUplot(name: string): string {
  return readFileSync(new URL(import.meta.resolve(`uplot/dist/${name}`)), 'utf8')
}

const texts = new Map<string, string>([
  ...names.map((name): [string, string] => [name, readScript(name)]),
  ['uplot.js', readUplot('uPlot.iife.min.js')],
])

/** The folder contains a hash of all scripts, so that browsers may cache them forever, and modules find each other. */
const folder = `/posrep-assets/${createHash('sha256')
  .update([...texts.values()].join())
  .digest('hex')
  .slice(0, 16)}`

/** Path → text. */
export const scripts = new Map([...texts].map(([name, text]) => [`${folder}/${name}`, text]))
export const scriptPath = `${folder}/main.js`
export const chartLibraryPath = `${folder}/uplot.js`
export const chartStyles = readUplot('uPlot.min.css')
