/**
 * Says what is wrong in a JSON file of the operator, and where.
 * In: the issues that the schema found. Out: the path of one of them and a sentence with what is allowed there, without
 * any value.
 */
import type * as v from 'valibot'

type Issue = v.BaseIssue<unknown>

const words: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  strict_object: 'an object',
  string: 'a text in quotes',
}

/** @param keysAt The keys that an object may have, by its path without indices; '' is the top. */
export function toSchemaProblem(issues: [Issue, ...Issue[]], keysAt: (path: string) => readonly string[]): string {
  // A misspelt key is also missing; its spelling says more.
  const issue = issues.find(isUnknownKey) ?? issues[0]
  const path = (issue.path ?? []).map(({ key }) => String(key))
  return `${path.length === 0 ? 'the top' : path.join('.')}: ${toSentence(issue, path, keysAt)}`
}

function toSentence(issue: Issue, path: readonly string[], keysAt: (path: string) => readonly string[]): string {
  if (isUnknownKey(issue)) {
    const parent = path.slice(0, -1).filter((key) => !/^\d+$/.test(key))
    return `there is no such key; allowed are ${keysAt(parent.join('.')).join(', ')}`
  }
  // An object is reported with the key that it lacks.
  if (issue.type === 'strict_object' && issue.input === undefined) return 'is missing'
  const expected = issue.kind === 'schema' ? words[issue.type] : undefined
  return expected === undefined ? issue.message : `must be ${expected}, not ${toKind(issue.input)}`
}

function isUnknownKey({ type, expected }: Issue): boolean {
  return type === 'strict_object' && expected === 'never'
}

function toKind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
