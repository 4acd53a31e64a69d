/**
 * A check of `pnpm check`: regular expressions of the packages and of the OpenAPI document take linear time, whatever
 * text they are used on: others send the text, and 16 KiB of it can keep a quadratic expression busy for a quarter of a
 * second.
 * Out: the expressions that do not, and exit code 1 if there are any.
 */
import { globSync, readFileSync } from 'node:fs'
import { findInDocument, findInSource } from './expressions/find-expressions.ts'
import { findSuperLinear } from './expressions/super-linear.ts'

/** Files with expressions that are put together from constants of our own. A person has read them. */
const composed = new Set([
  'packages/server/src/adapters/redis/migration/copy-data.ts',
  'packages/server/src/devices/sensor-client.ts',
  'packages/server/src/http/operation/openapi-document.ts',
  'packages/server/src/identity/tokens/refresh-token.ts',
  'packages/server/src/portal/docs/sections.ts',
  'kernel/src/visible.ts',
])

/** Made of the document, which is checked itself. */
function isGenerated(path: string): boolean {
  return path.endsWith('/src/generated')
}

const sources = globSync('packages/*/src/**/*.{ts,tsx,js}', { exclude: isGenerated }).map((file) => ({
  file,
  ...findInSource(file, readFileSync(file, 'utf8')),
}))
const documents = globSync('openapi/**/*.yaml').map((file) => ({
  file,
  expressions: findInDocument(readFileSync(file, 'utf8')),
}))
const expressions = [...sources, ...documents].flatMap((found) =>
  found.expressions.map((expression) => ({ ...expression, file: found.file })),
)

const problems = [
  ...(await findSuperLinear(expressions)).map(
    ({ expression: { file, line, source, flags }, reason }) => `${file}:${line}: /${source}/${flags}: ${reason}`,
  ),
  ...sources
    .filter(({ file }) => !composed.has(file))
    .flatMap(({ file, computed }) =>
      computed.map((line) => `${file}:${line}: an expression that is not in the source`),
    ),
]
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(`${expressions.length} expressions, ${problems.length} problems\n`)
// Exits explicitly, because recheck leaves its process running.
process.exit(problems.length === 0 ? 0 : 1)
