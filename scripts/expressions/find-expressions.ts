/**
 * Finds the regular expressions of a source or of an OpenAPI document.
 * In: the text. Out: each expression with its line, and calls of `RegExp` whose expression is not in the source.
 */
import ts from 'typescript'

export interface Expression {
  source: string
  flags: string
  line: number
}

export interface Found {
  expressions: Expression[]
  /** Lines of `RegExp(…)` with a first argument that is not a literal. */
  computed: number[]
}

export function findInSource(fileName: string, text: string): Found {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, false)
  const found: Found = { expressions: [], computed: [] }
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1

  function visit(node: ts.Node): void {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.expressions.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), line: lineOf(node) })
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(file) === 'RegExp') {
      const [source, flags] = node.arguments ?? []
      if (source && ts.isStringLiteralLike(source)) {
        const text = flags && ts.isStringLiteralLike(flags) ? flags.text : ''
        found.expressions.push({ source: source.text, flags: text, line: lineOf(node) })
      } else found.computed.push(lineOf(node))
    }
    ts.forEachChild(node, visit)
  }

  visit(file)
  return found
}

/** The values of `pattern`, as JSON Schema reads them. */
export function findInDocument(text: string): Expression[] {
  return text.split('\n').flatMap((line, at) => {
    const [, source] = /^\s*(?:- )?pattern: (.*)$/.exec(line) ?? []
    return source === undefined ? [] : [{ source: unquote(source.trim()), flags: 'u', line: at + 1 }]
  })
}

function unquote(scalar: string): string {
  if (scalar.startsWith("'")) return scalar.slice(1, -1).replaceAll("''", "'")
  return scalar.startsWith('"') ? JSON.parse(scalar) : scalar
}
