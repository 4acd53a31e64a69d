/**
 * What an editor shows: each function of the published entries, and each of their options and members, has a doc
 * comment.
 */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const folder = fileURLToPath(new URL('..', import.meta.url))
const entries = Object.entries(manifest.exports).map(([name, { '@posrep/source': file }]) => [name, file] as const)

const program = ts.createProgram(
  entries.map(([, file]) => `${folder}${file}`),
  {
    strict: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    customConditions: ['@posrep/source'],
    allowImportingTsExtensions: true,
    types: ['node'],
  },
)
const checker = program.getTypeChecker()

/** What the package's own sources declare. The document describes its schemas; the ports repeat what browsers have. */
function isOwn({ declarations = [] }: ts.Symbol): boolean {
  const files = declarations.map((declaration) => declaration.getSourceFile().fileName)
  return files.some((file) => file.startsWith(`${folder}src/`) && !file.endsWith('/ports.ts'))
}

function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(`${folder}${file}`)
  const module = source && checker.getSymbolAtLocation(source)
  return checker
    .getExportsOfModule(module as ts.Symbol)
    .map(toOriginal)
    .filter(isOwn)
}

function toOriginal(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** Without those that a type forbids (`origin?: never`), and the name of an error class. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  if (!(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class))) return []
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const members = (type.isUnion() ? type.types : [type]).flatMap((part) => part.getProperties())
  return members.filter((member) => isOwn(member) && !isForbidden(member) && member.name !== 'name')
}

function isForbidden(member: ts.Symbol): boolean {
  return checker.getNonNullableType(checker.getTypeOfSymbol(member)).flags === ts.TypeFlags.Never
}

function isSilent(symbol: ts.Symbol): boolean {
  return symbol.getDocumentationComment(checker).length === 0 && symbol.getJsDocTags(checker).length === 0
}

test.each(entries)('every function, option and member of %s has hover text', (_name, file) => {
  const exported = exportsOf(file)
  const functions = exported.filter(({ flags }) => flags & ts.SymbolFlags.Function).filter(isSilent)
  const members = exported.flatMap((owner) =>
    membersOf(owner)
      .filter(isSilent)
      .map(({ name }) => `${owner.name}.${name}`),
  )

  expect([...functions.map(({ name }) => name), ...new Set(members)]).toEqual([])
})

test('the check reads the options of every entry', () => {
  const names = entries.flatMap(([, file]) => exportsOf(file).flatMap((one) => membersOf(one).map(({ name }) => name)))
  expect(names).toEqual(
    expect.arrayContaining(['intervalMs', 'clientId', 'authOrigin', 'pageSize', 'listDevices', 'bbox']),
  )
})
