import { expect, test } from 'vitest'
import { toTable } from '../../src/admin/table.ts'

const rows = [
  { ID: 'acme', NAME: 'Acme Sensing' },
  { ID: 'überflieger', NAME: 'Ü' },
]

test('columns are aligned, and no line ends in spaces', () => {
  expect(toTable(rows)).toBe(['ID            NAME', 'acme          Acme Sensing', 'überflieger   Ü'].join('\n'))
})

test('on a narrow terminal, what all rows have in common is below the table', () => {
  const devices = [
    { URN: 'urn:aa:device:acme:roof1', NAME: 'Roof', ACCOUNT: 'acme', RELAY: 'Active', PENDING: '0', BURIED: '0' },
    { URN: 'urn:aa:device:acme:roof2', NAME: 'Mast', ACCOUNT: 'acme', RELAY: 'none', PENDING: '0', BURIED: '0' },
  ]
  expect(toTable(devices, 60)).toBe(
    [
      'URN                        NAME   RELAY',
      'urn:aa:device:acme:roof1   Roof   Active',
      'urn:aa:device:acme:roof2   Mast   none',
      '',
      'In all rows: ACCOUNT acme, PENDING 0, BURIED 0',
    ].join('\n'),
  )
})

test('on a narrow terminal, long names are cut', () => {
  const sensors = [
    { ID: 'roof1', NAME: 'Roof of the main building, receives from the north', RELAY: 'Active' },
    { ID: 'roof2', NAME: 'Roof', RELAY: 'none' },
  ]
  expect(toTable(sensors, 40)).toBe(
    [
      'ID      NAME                      RELAY',
      'roof1   Roof of the main build…   Active',
      'roof2   Roof                      none',
    ].join('\n'),
  )
})

test('on a terminal that is narrower still, each row is a block', () => {
  expect(toTable(rows, 20)).toBe(
    ['ID     acme', 'NAME   Acme Sensing', '', 'ID     überflieger', 'NAME   Ü'].join('\n'),
  )
})

test('invisible characters in a name are escaped', () => {
  expect(toTable([{ NAME: 'a\u001b[2Jb\nc\u202ed' }])).toBe('NAME\na\\u001b[2Jb\\u000ac\\u202ed')
  expect(toTable([{ NAME: 'a\u200bd' }])).toBe('NAME\na\\u200bd')
})
