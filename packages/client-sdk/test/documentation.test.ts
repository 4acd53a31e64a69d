/** What an editor shows beside the options of calls. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))
const file = `${folder}typed-in-an-editor.ts`

/** What is typed, with the cursor at `|`, and what the documentation of each option must contain. */
const cases: [typed: string, shown: Record<string, string>][] = [
  [
    'posrep.listDevices({ | })',
    { limit: '1 to 1000', timeoutMs: 'in ms: 1 to 2,147,483,647', signal: 'Ends the call' },
  ],
  ['posrep.listRecentReports("", { | })', { limit: '1 to 10000', after: '`next`' }],
  ['posrep.listDeliveries("", { | })', { limit: '1 to 200' }],
  ['posrep.submitPositionReport({ positions: [] }, { | })', { deviceToken: 'Access token of the device' }],
  ['createPosrep({ | })', { timeoutMs: 'in ms', scope: 'Space separated', tokenStore: 'Default' }],
  ['watchRecent(posrep, "", { | })', { intervalMs: 'in ms: 250 or more', history: 'an hour' }],
  ['createAir(posrep).listAirTracks({ | })', { limit: '1 to 10000', bbox: 'west, south, east, north' }],
  ['followAir(posrep, { | })', { bbox: 'west, south, east, north', signal: 'Ends the iteration' }],
  ['signInWithPopup(posrep, { | })', { width: 'CSS pixels', pollMs: 'in ms' }],
]

const imports = `import { createPosrep, type Posrep } from '../src/index.ts'
import { signInWithPopup } from '../src/popup.ts'
import { createAir, followAir } from '../src/air.ts'
import { watchRecent } from '../src/watch.ts'
declare const posrep: Posrep
`
const withCursors = imports + cases.map(([typed]) => typed).join('\n')
const editor = ts.createLanguageService(aHost(withCursors.replaceAll('|', '')))

test.each(cases.map((one, index) => [...one, index] as const))(
  'completing %s shows units and ranges',
  (_typed, shown, index) => {
    // Each cursor before this one is a character that the text of the editor has not.
    const at = withCursors
      .split('|')
      .slice(0, index + 1)
      .join('').length

    for (const [name, words] of Object.entries(shown)) {
      const details = editor.getCompletionEntryDetails(file, at, name, {}, undefined, {}, undefined)
      const tags = (details?.tags ?? []).map(({ text }) => ts.displayPartsToString(text))
      const text = [ts.displayPartsToString(details?.documentation), ...tags].join(' ').replaceAll('\n', ' ')
      expect(text).toContain(words)
    }
  },
)

function aHost(text: string): ts.LanguageServiceHost {
  const read = (path: string) => (path === file ? text : ts.sys.readFile(path))
  return {
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot(path) {
      const content = read(path)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCompilationSettings: () => ({
      strict: true,
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      customConditions: ['@posrep/source'],
      allowImportingTsExtensions: true,
      types: [],
    }),
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  }
}
