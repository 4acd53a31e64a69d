/**
 * Generates a type for each schema of the document, of the same name.
 * In: the bundled document. Out: TypeScript source.
 */
import type { Document } from './document.ts'

export function schemaNamesSource({ components }: Pick<Document, 'components'>): string {
  const names = Object.keys(components.schemas).toSorted()
  const lines = names.map((name) => `export type ${name} = components['schemas']['${name}']\n`)
  return `import type { components } from './openapi-types.ts'\n\n${lines.join('')}`
}
