/**
 * Lets the code of hey-api use the types of openapi-typescript, so that the package has one set of types.
 * In: a folder of hey-api's output, and a file in it that imports from hey-api's `types.gen.ts`. Out: the same file,
 * which imports the types of schemas and declares those of operations and parameters; hey-api's own types and its index
 * file are removed.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import type { Document } from './document.ts'

const importOfTypes = /import type \{ (.*) \} from '(\.{1,2}\/)types\.gen\.ts';/

export async function useOneTypeSet(
  { components }: Pick<Document, 'components'>,
  { folder, file }: { folder: string; file: string },
): Promise<void> {
  const path = `${folder}/${file}`
  const code = await readFile(path, 'utf8')
  const [statement = '', list = '', toFolder] = importOfTypes.exec(code) ?? []
  if (toFolder === undefined) throw new Error(`${path} does not import from types.gen.ts; hey-api's output has changed`)
  const names = list.split(', ')
  const ofSchemas = names.filter((name) => name in components.schemas)
  const others = names.filter((name) => !(name in components.schemas))
  const lines = [
    `import type { components, operations } from '${toFolder}../openapi-types.ts';`,
    ...(ofSchemas.length > 0 ? [`import type { ${ofSchemas.join(', ')} } from '${toFolder}../schemas.ts';`] : []),
    '',
    ...(others.some((name) => name.endsWith('Responses')) ? [ofOperations] : []),
    ...others.map((name) => `type ${name} = ${toType(name, components)};`),
  ]
  await writeFile(
    path,
    code.replace(statement, () => lines.join('\n')),
  )
  await rm(`${folder}/types.gen.ts`)
  await rm(`${folder}/index.ts`)
}

/** hey-api names the types of an operation after its id, and those of parameters as the document does. */
function toType(name: string, { parameters }: Document['components']): string {
  if (name === 'ClientOptions') return '{ baseUrl: string }'
  if (name in parameters) return `components['parameters']['${name}']`
  const [, id = '', part] = /^(\w+)(Responses|Data)$/.exec(name) ?? []
  if (part === undefined) throw new Error(`No type for "${name}"; hey-api's output has changed`)
  return `${part}<'${id.charAt(0).toLowerCase()}${id.slice(1)}'>`
}

const ofOperations = `type Content<T> = T extends { content: infer C } ? C[keyof C] : null;
type Responses<Id extends keyof operations> = {
    [Status in keyof operations[Id]['responses']]: Content<operations[Id]['responses'][Status]>;
};
type Data<Id extends keyof operations> = { body: Content<NonNullable<operations[Id]['requestBody']>> };`
