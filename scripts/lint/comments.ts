/**
 * Checks that lines of comments have at most 120 columns, as code has. `--write` breaks those that are longer.
 * In: the sources in git, and the new ones that it does not ignore. Out: the long lines, and exit code 1; nothing when
 * there are none.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'

const maxColumns = 120
/** Lines that tools read must stay whole, and an address cannot be broken. */
const mustStay = /@ts-|biome-ignore|^\s*\/\/\/|^\s*(?:\*|\/\/) \||https?:\/\/\S{60,}/
/** Begins a paragraph, an item or a tag: the line before it is not continued here. */
const begins = /^(?:[-*|@#]|```|\d+\. |(?:In|Out): |$)/

interface Line {
  file: string
  line: number
}

const isWriting = process.argv.includes('--write')
/** Files that are not committed yet count, and those that are deleted do not. */
const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.js', '*.mjs']
const files = execFileSync('git', listed, { encoding: 'utf8' })
const long = files
  .split('\n')
  .filter((file) => file !== '' && !/(?:^|\/)generated\//.test(file) && existsSync(file))
  .flatMap((file) => checkFile(file))
for (const { file, line } of long) {
  process.stdout.write(`${file}:${line}: this comment has more than ${maxColumns} columns\n`)
}
if (long.length > 0)
  process.stdout.write('`pnpm format` breaks such lines; one that must stay whole needs fewer words\n')
process.exitCode = long.length > 0 ? 1 : 0

function checkFile(file: string): Line[] {
  const text = readFileSync(file, 'utf8')
  if (findLong(text).length === 0) return []
  if (!isWriting) return findLong(text).map((index) => ({ file, line: index + 1 }))
  const broken = breakComments(text)
  if (broken !== text) writeFileSync(file, broken)
  return findLong(broken).map((index) => ({ file, line: index + 1 }))
}

/** Indices of lines on which a comment ends beyond the last column. */
function findLong(text: string): number[] {
  const lines = text.split('\n')
  const isCandidate = (line: string) =>
    line.length > maxColumns && /\/\/|\/\*|^\s*\*/.test(line) && !mustStay.test(line)
  if (!lines.some(isCandidate)) return []
  const commented = new Set(toComments(text).flatMap(({ first, last }) => range(first, last)))
  return lines.flatMap((line, index) => (isCandidate(line) && commented.has(index) ? [index] : []))
}

/** The lines of each comment. */
function toComments(text: string): { first: number; last: number; isAlone: boolean }[] {
  const source = ts.createSourceFile('source.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found = new Map<number, number>()
  const add = (pos: number, end: number) => void found.set(pos, end)
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return
    ts.forEachLeadingCommentRange(text, node.pos, add)
    ts.forEachTrailingCommentRange(text, node.end, add)
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  return [...found].map(([pos, end]) => {
    const { line: first, character } = source.getLineAndCharacterOfPosition(pos)
    const { line: last } = source.getLineAndCharacterOfPosition(end)
    const before = text.slice(pos - character, pos)
    return { first, last, isAlone: before.trim() === '' }
  })
}

function breakComments(text: string): string {
  const lines = text.split('\n')
  const bottomUp = toComments(text)
    .filter(({ isAlone }) => isAlone)
    .toSorted((a, b) => b.first - a.first)
  const toSkip = new Set<number>()
  for (const { first, last } of bottomUp) {
    if (toSkip.has(first)) continue
    let start = first
    if (isLine(lines[first])) {
      // Lines of `//` that follow each other are one text.
      while (isLine(lines[start - 1]) && indentOf(lines[start - 1]) === indentOf(lines[first])) start--
      for (const index of range(start, first)) toSkip.add(index)
    }
    const comment = lines.slice(start, last + 1)
    if (!comment.some((line) => line.length > maxColumns && !mustStay.test(line))) continue
    lines.splice(start, comment.length, ...(isLine(comment[0]) ? breakLines(comment, '//') : breakBlock(comment)))
  }
  return lines.join('\n')
}

/** The marks get lines of their own. */
function breakBlock(comment: string[]): string[] {
  const indent = indentOf(comment[0])
  const [, open, inside = ''] = /^\s*(\/\*\*?)(.*?)\s*\*\/$/s.exec(comment.join('\n')) ?? []
  // Code follows it on its line.
  if (open === undefined) return comment
  const [first = '', ...others] = inside.split('\n')
  const body = first.trim() === '' ? others : [`${indent} * ${first.trim()}`, ...others]
  return [`${indent}${open}`, ...breakLines(body, '*'), `${indent} */`]
}

/** Breaks lines that are too long; what is left over goes to the next line if that continues the text. */
function breakLines(lines: string[], marker: '*' | '//'): string[] {
  const result: string[] = []
  let rest = ''
  let isCode = false
  for (const line of lines) {
    const [, prefix = '', content = ''] = /^(\s*(?:\*|\/\/) ?)(.*)$/.exec(line) ?? []
    const hang = ' '.repeat(/^\s*(?:[-*] |\d+\. )?/.exec(content)?.[0].length ?? 0)
    if (content.startsWith('```')) isCode = !isCode
    const continues = rest !== '' && !begins.test(content.trim())
    if (rest !== '' && !continues) result.push(...wrap(rest, toPrefix(result.at(-1) ?? '', marker)))
    const whole = continues ? `${prefix}${hang}${rest} ${content.trim()}` : line
    rest = ''
    if (isCode || whole.length <= maxColumns || (!continues && mustStay.test(line))) {
      result.push(whole)
      continue
    }
    const at = whole.lastIndexOf(' ', maxColumns)
    if (at <= prefix.length) result.push(whole)
    else {
      result.push(whole.slice(0, at).trimEnd())
      rest = whole.slice(at + 1)
    }
  }
  return rest === '' ? result : [...result, ...wrap(rest, toPrefix(result.at(-1) ?? '', marker))]
}

function wrap(text: string, prefix: string): string[] {
  const lines: string[] = []
  let rest = `${prefix}${text}`
  while (rest.length > maxColumns) {
    const at = rest.lastIndexOf(' ', maxColumns)
    if (at <= prefix.length) break
    lines.push(rest.slice(0, at).trimEnd())
    rest = `${prefix}${rest.slice(at + 1)}`
  }
  return [...lines, rest]
}

/** What a continuation of this line begins with: under the text of an item. */
function toPrefix(line: string, marker: '*' | '//'): string {
  const [start = ''] = /^\s*(?:\*|\/\/)\s*(?:- |\d+\. )?/.exec(line) ?? []
  const at = start.indexOf(marker) + marker.length
  return `${start.slice(0, at)}${' '.repeat(start.length - at)}`
}

function isLine(line: string | undefined): boolean {
  return line !== undefined && /^\s*\/\/(?!\/)/.test(line)
}

function indentOf(line = ''): string {
  return /^\s*/.exec(line)?.[0] ?? ''
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
