/**
 * The document's example files.
 * In: the name of a schema. Out: its examples, as text of the file, because parsing would lose values such as `1e999`.
 */
import { globSync, readFileSync } from 'node:fs'

const folder = new URL('../../../openapi/examples/', import.meta.url)

export interface InvalidExample {
  name: string
  summary: string
  pointer: string
  text: string
}

export function validExample(schema: string): string {
  return read(`${schema}.json`)
}

export function invalidExamples(schema: string): InvalidExample[] {
  return globSync(`invalid/${schema}/*.json`, { cwd: folder })
    .sort()
    .map((file) => {
      const text = read(file)
      const { summary, pointer } = JSON.parse(text)
      const name = file.slice(file.lastIndexOf('/') + 1, -'.json'.length)
      return { name, summary, pointer, text: text.slice(text.indexOf('"value":') + 8, text.lastIndexOf('}')) }
    })
}

/** The valid and invalid examples of all schemas. */
export function allExamples(): { name: string; text: string }[] {
  const valid = globSync('*.json', { cwd: folder }).map((file) => ({ name: file, text: read(file) }))
  const invalid = globSync('invalid/*', { cwd: folder })
    .map((path) => path.slice('invalid/'.length))
    .flatMap((schema) => invalidExamples(schema).map(({ name, text }) => ({ name: `invalid/${schema}/${name}`, text })))
  return [...valid, ...invalid].sort((one, other) => (one.name < other.name ? -1 : 1))
}

function read(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8')
}
