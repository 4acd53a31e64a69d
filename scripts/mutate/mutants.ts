/**
 * Lists the one-line bugs that can be put into a source file.
 * In: the text of a TypeScript file. Out: mutants: a condition that always or never holds, a statement that is missing,
 * a comparison or limit that is off by one, a filter that is missing; the same in statements of SQL and Lua.
 */
import ts from 'typescript'

export interface Mutant {
  path: string
  line: number
  /** Where `from` is in the text. */
  start: number
  end: number
  from: string
  replacement: string
}

type Add = (start: number, end: number, replacement: string) => void

const swapped = new Map<string, string>([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['+', '-'],
  ['-', '+'],
])
const renamed = new Map([
  ['Math.min', 'Math.max'],
  ['Math.max', 'Math.min'],
])
/** Calls of these methods are left out: `list.filter(f)` becomes `list`. */
const leftOut = new Set(['filter', 'slice', 'sort', 'toSorted', 'reverse', 'trim'])
const otherMethod = new Map([
  ['some', 'every'],
  ['every', 'some'],
])

const comparisons: [RegExp, string][] = [
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
]
const inSql: [RegExp, string][] = [
  ...comparisons,
  [/ AND (?!NOT EXISTS)/g, ' OR '],
  [/NOT EXISTS/g, 'EXISTS'],
  [/IS NULL/g, 'IS NOT NULL'],
  [/ DESC\b/g, ''],
  [/\bmax\(/gi, 'min('],
  [/= FULL/g, '= OFF'],
]
const inLua: [RegExp, string][] = [
  ...comparisons,
  [/ == /g, ' ~= '],
  [/ ~= /g, ' == '],
  [/ and /g, ' or '],
  [/ or /g, ' and '],
  [/^[ \t]*(?:redis\.)?call\(.*\)$/gm, ''],
]

export function listMutants(path: string, text: string): Mutant[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []
  const add: Add = (start, end, replacement) => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    mutants.push({ path, line, start, end, from: text.slice(start, end), replacement })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    addOf(node, (replacement) => add(node.getStart(), node.getEnd(), replacement), add)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return mutants
}

function addOf(node: ts.Node, replaceBy: (replacement: string) => void, add: Add): void {
  const replace = (part: ts.Node, replacement: string) => add(part.getStart(), part.getEnd(), replacement)
  if (ts.isIfStatement(node)) {
    replace(node.expression, 'false')
    replace(node.expression, 'true')
  } else if (ts.isConditionalExpression(node)) replace(node.condition, `!(${node.condition.getText()})`)
  else if (ts.isExpressionStatement(node)) addWithoutStatement(node, replaceBy)
  else if (ts.isVoidExpression(node) && ts.isArrowFunction(node.parent)) replaceBy('undefined')
  else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    replaceBy(node.operand.getText())
  } else if (ts.isBinaryExpression(node)) addOfOperator(node, replaceBy, replace)
  else if (ts.isPropertyAccessExpression(node)) addOfMember(node, replaceBy)
  else if (ts.isCallExpression(node)) addWithoutCall(node, replaceBy)
  else if (isText(node)) addOfText(node, add)
}

/** Not for log lines, which change nothing, and for `super`, which must be called. */
function addWithoutStatement({ expression }: ts.ExpressionStatement, replaceBy: (replacement: string) => void): void {
  const isLogged = /^(?:void |await )?(?:logger|console)\b/.test(expression.getText())
  const isSuper = ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword
  // Not empty: the next line could continue the one before.
  if (!isLogged && !isSuper) replaceBy(';')
}

function addOfOperator(
  { left, operatorToken, right }: ts.BinaryExpression,
  replaceBy: (replacement: string) => void,
  replace: (part: ts.Node, replacement: string) => void,
): void {
  const operator = operatorToken.getText()
  if (operator === '&&' || operator === '||' || operator === '??') {
    replaceBy(left.getText())
    replaceBy(right.getText())
    return
  }
  const other = swapped.get(operator)
  const joinsText = operator === '+' && [left, right].some((side) => /['"`]/.test(side.getText()))
  if (other !== undefined && !joinsText) replace(operatorToken, other)
}

function addOfMember(node: ts.PropertyAccessExpression, replaceBy: (replacement: string) => void): void {
  const other = renamed.get(node.getText())
  if (other !== undefined) replaceBy(other)
}

function addWithoutCall({ expression, arguments: given }: ts.CallExpression, replaceBy: (text: string) => void): void {
  if (!ts.isPropertyAccessExpression(expression)) return
  const method = expression.name.getText()
  const target = expression.expression.getText()
  if (leftOut.has(method)) replaceBy(target)
  const other = otherMethod.get(method)
  if (other !== undefined) replaceBy(`${target}.${other}(${given.map((each) => each.getText()).join(', ')})`)
}

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  )
}

function addOfText(node: ts.Node, add: Add): void {
  const whole = ts.isTemplateSpan(node.parent) ? node.parent.parent : ts.isTemplateHead(node) ? node.parent : node
  const language = languageOf(whole.getText())
  if (!language) return
  const text = node.getText()
  for (const [pattern, replacement] of language) {
    for (const found of text.matchAll(pattern)) {
      const start = node.getStart() + found.index
      add(start, start + found[0].length, replacement)
    }
  }
}

function languageOf(text: string): [RegExp, string][] | undefined {
  if (/redis\.call|\blocal \w+/.test(text)) return inLua
  return /\b(?:SELECT|INSERT|UPDATE|DELETE|PRAGMA)\b/.test(text) ? inSql : undefined
}
