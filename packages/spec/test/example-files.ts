/**
 * Reads the document's example files.
 * In: openapi/examples/. Out: the examples, with values as the original text, because parsing and serialising would
 * change `1e999`.
 */
import { globSync, readFileSync } from 'node:fs'

const folder = new URL('../../../openapi/examples/', import.meta.url)

export interface Example {
  schema: string
  text: string
}

export interface InvalidExample extends Example {
  name: string
  summary: string
  pointer: string
}

export function validExamples(): Example[] {
  return files('*.json').map((file) => ({ schema: file.replace('.json', ''), text: read(file) }))
}

export function invalidExamples(): InvalidExample[] {
  return files('invalid/*/*.json').map((file) => {
    const text = read(file)
    const { summary, pointer } = JSON.parse(text)
    const [, schema = '', name = ''] = file.replace('.json', '').split('/')
    return { schema, name, summary, pointer, text: text.slice(text.indexOf('"value":') + 8, text.lastIndexOf('}')) }
  })
}

function files(pattern: string): string[] {
  return globSync(pattern, { cwd: folder }).sort()
}

function read(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8')
}
