/**
 * Configures @hey-api/openapi-ts for validators, MSW handlers and fakes.
 * In: the bundled document and an output folder. Out: hey-api's configuration, with the document adapted to its
 * plugins.
 */
import type { UserConfig } from '@hey-api/openapi-ts'
import type { Document } from './document.ts'
import { withExamples } from './examples.ts'
import { simplifyForFaker } from './fakes.ts'
import { withPrintablePatterns } from './patterns.ts'
import { finiteNumber, variantUnion, wholeObject, withVariantMembers } from './valibot-resolvers.ts'

/** Validators that agree with the server, and handlers that answer with the document's examples. */
export async function validatorsAndHandlers(document: Document, folder: string): Promise<UserConfig> {
  return {
    ...shared(withPrintablePatterns(withVariantMembers(await withExamples(document))), folder),
    plugins: [
      '@hey-api/typescript',
      { name: 'valibot', $resolvers: { number: finiteNumber, object: wholeObject, union: variantUnion } },
      'msw',
    ],
  }
}

/** Generated separately, because faker needs a simplified document. Only the fakes use the types of this run. */
export function fakes(document: Document, folder: string): UserConfig {
  return {
    ...shared(simplifyForFaker(document), folder),
    plugins: ['@hey-api/typescript', { name: '@faker-js/faker', requests: false, responses: false }],
  }
}

function shared(document: Document, folder: string) {
  return {
    input: { ...document },
    output: { path: folder, module: { extension: '.ts' } },
    logs: { level: 'silent' },
  } satisfies Omit<UserConfig, 'plugins'>
}
