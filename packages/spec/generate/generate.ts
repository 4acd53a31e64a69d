/**
 * Generates src/generated/ from the document.
 * In: openapi/openapi.yaml and the files that it references. Out: the bundled JSON, the types of openapi-typescript and
 * a name for each schema, the table of operations, and the code of hey-api. The output is deterministic.
 */
import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'
import type { Document } from './document.ts'
import { fakes, validatorsAndHandlers } from './hey-api.ts'
import { useOneTypeSet } from './one-type-set.ts'
import { operationTableSource } from './operation-table.ts'
import { schemaNamesSource } from './schema-names.ts'

process.chdir(new URL('..', import.meta.url).pathname)

const generated = 'src/generated'
const bundle = `${generated}/openapi.json`

await rm(generated, { recursive: true, force: true })
execFileSync('redocly', ['bundle', '../../openapi/openapi.yaml', '--output', bundle], { stdio: 'ignore' })

const text = await readFile(bundle, 'utf8')
const document: Document = JSON.parse(text)
const header = '// Generated from openapi/ by `pnpm generate`. Do not edit.\n\n'
await writeFile(`${generated}/openapi-types.ts`, header + astToString(await openapiTS(text)))
await writeFile(`${generated}/schemas.ts`, header + schemaNamesSource(document))
await writeFile(`${generated}/operation-table.ts`, header + operationTableSource(document))

await createClient(await validatorsAndHandlers(document, `${generated}/hey-api`))
await createClient(fakes(document, `${generated}/fakes`))
await useOneTypeSet(document, { folder: `${generated}/hey-api`, file: 'msw.gen.ts' })
await useOneTypeSet(document, { folder: `${generated}/fakes`, file: '@faker-js/faker.gen.ts' })

await markPure(`${generated}/hey-api/valibot.gen.ts`)

/**
 * Marks the calls that build schemas as free of side effects, so that bundlers leave out the schemas that nobody uses.
 */
async function markPure(file: string): Promise<void> {
  const code = await readFile(file, 'utf8')
  await writeFile(file, code.replaceAll(/\bv\.[a-zA-Z]+\(/g, '/* @__PURE__ */ $&'))
}
