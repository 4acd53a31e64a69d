/** The check of `pnpm check` for regular expressions: what it finds. */
import { expect, test } from 'vitest'
import { findInDocument, findInSource } from '../../scripts/expressions/find-expressions.ts'
import { findSuperLinear } from '../../scripts/expressions/super-linear.ts'

test('expressions that take quadratic or exponential time are found', async () => {
  const sources = ['\\s*;\\s*q=', '^[ \\t]+|[ \\t]+$', '\\bVersion\\/.*\\bSafari\\/', '^(a+)+$']
  const found = await findSuperLinear(sources.map((source) => ({ source, flags: '' })))
  expect(found.map(({ expression }) => expression.source)).toEqual(sources)
  expect(found.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('polynomial'),
    expect.stringContaining('polynomial'),
    expect.stringContaining('polynomial'),
    expect.stringContaining('exponential'),
  ])
})

test('expressions that take linear time are not', async () => {
  const sources = ['^[a-z]+$', '^[A-Za-z0-9_-]{43}$', '\\{([^{}]+)\\}']
  expect(await findSuperLinear(sources.map((source) => ({ source, flags: 'g' })))).toEqual([])
})

test('expressions of a source are found with their lines, and those that it computes', () => {
  const text = "const a = /x+y/gi\nconst b = new RegExp('z', 'u')\nconst c = RegExp(a.source)\n// /no/\n"
  expect(findInSource('a.ts', text)).toEqual({
    expressions: [
      { source: 'x+y', flags: 'gi', line: 1 },
      { source: 'z', flags: 'u', line: 2 },
    ],
    computed: [3],
  })
})

test('patterns of a document are found, however they are quoted', () => {
  const text = ["pattern: '^a''b$'", '  pattern: "^\\\\d$"', '  - pattern: ^c$', 'description: pattern'].join('\n')
  expect(findInDocument(text).map(({ source, line }) => [source, line])).toEqual([
    ["^a'b$", 1],
    ['^\\d$', 2],
    ['^c$', 3],
  ])
})
