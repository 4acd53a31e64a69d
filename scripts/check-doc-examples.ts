/**
 * Checks the types of every `@example` in the sources of the packages, as a user's program would have them.
 * In: blocks of TypeScript in doc comments. Out: errors at the line of the source, and exit code 1; nothing when there
 * are none.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

interface Example {
  /** The name of a file that does not exist, beside the source, so that the package resolves as for its users. */
  file: string
  source: string
  firstLine: number
  code: string
}

const root = join(import.meta.dirname, '..')
const examples = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: ['**/generated/**'] }).flatMap(toExamples)
const byFile = new Map(examples.map((example) => [example.file, example]))
const problems = check([...byFile.keys()])
process.stdout.write(problems.map((problem) => `${problem}\n`).join(''))
if (examples.length === 0) throw new Error('There are no examples in the sources')
process.exitCode = problems.length > 0 ? 1 : 0

function toExamples(source: string): Example[] {
  const text = readFileSync(join(root, source), 'utf8')
  return [...text.matchAll(/^ \* @example\n \* ```ts\n(.*?)^ \* ```$/gms)].map(({ 1: block = '', index }, number) => ({
    file: join(root, dirname(source), `example-${number}-of-${source.replaceAll(/[^a-z-]/g, '-')}.ts`),
    source,
    firstLine: text.slice(0, index).split('\n').length + 2,
    code: block.replaceAll(/^ \* ?/gm, ''),
  }))
}

function check(files: string[]): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists } = host
  host.readFile = (file) => byFile.get(file)?.code ?? readFile(file)
  host.fileExists = (file) => byFile.has(file) || fileExists(file)
  const program = ts.createProgram(files, options, host)
  return files.flatMap((file) => {
    const parsed = program.getSourceFile(file)
    const found = [...program.getSyntacticDiagnostics(parsed), ...program.getSemanticDiagnostics(parsed)]
    return found.map(({ messageText, start = 0 }) => {
      const { source = file, firstLine = 0 } = byFile.get(file) ?? {}
      const line = firstLine + (parsed?.getLineAndCharacterOfPosition(start).line ?? 0)
      return `${source}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
  })
}
