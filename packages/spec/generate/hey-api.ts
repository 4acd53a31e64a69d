/**
 * How @hey-api/openapi-ts makes validators, MSW handlers and fakes.
 * In: the bundled document and a folder. Out: hey-api's configuration, with the document prepared for its plugins.
 */
import type { UserConfig } from '@hey-api/openapi-ts'
import type { Document } from './document.ts'
import { withExamples } from './examples.ts'
import { easedForFaker } from './fakes.ts'
import { withPrintablePatterns } from './patterns.ts'
import { finiteNumber, variantUnion, wholeObject, withVariantMembers } from './valibot-resolvers.ts'

/** Validators that judge as the server does, and handlers that answer with the document's examples. */
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

/** A run of its own, because it needs an easier document. Of its types the fakes alone make use. */
export function fakes(document: Document, folder: string): UserConfig {
  return {
    ...shared(easedForFaker(document), folder),
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
