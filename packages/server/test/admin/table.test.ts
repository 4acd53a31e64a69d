import { expect, test } from 'vitest'
import { toTable } from '../../src/admin/table.ts'

const rows = [
  { ID: 'acme', NAME: 'Acme Sensing' },
  { ID: 'überflieger', NAME: 'Ü' },
]

test('columns are aligned, and no line ends in spaces', () => {
  expect(toTable(rows)).toBe(['ID            NAME', 'acme          Acme Sensing', 'überflieger   Ü'].join('\n'))
})

test('on a narrow terminal each row is a block', () => {
  expect(toTable(rows, 20)).toBe(
    ['ID     acme', 'NAME   Acme Sensing', '', 'ID     überflieger', 'NAME   Ü'].join('\n'),
  )
})

test('invisible characters in a name are escaped', () => {
  expect(toTable([{ NAME: 'a\u001b[2Jb\nc\u202ed' }])).toBe('NAME\na\\u001b[2Jb\\u000ac\\u202ed')
  expect(toTable([{ NAME: 'a\u200bd' }])).toBe('NAME\na\\u200bd')
})
