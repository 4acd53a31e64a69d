import { expect, test } from 'vitest'
import { createChanges } from '../../src/portal/changes.ts'

const rowsOf = (...rows: [key: string, html: string][]) => rows.map(([key, html]) => ({ key, html }))
const noContents = new Map<string, string>()

test('first everything is sent, then only the rows that differ, with the keys of all', () => {
  const changes = createChanges()
  changes.since({ contents: noContents, lists: new Map([['list', rowsOf(['a', '<tr>1'], ['b', '<tr>1'])]]) })

  const changed = changes.since({
    contents: noContents,
    lists: new Map([['list', rowsOf(['a', '<tr>1'], ['b', '<tr>2'])]]),
  })

  expect(changed).toEqual({ contents: {}, lists: { list: { order: ['a', 'b'], rows: { b: '<tr>2' } } } })
})

test('a time that ticks and a form token that is masked anew are no change', () => {
  const changes = createChanges()
  const at = (text: string, token: string) => ({
    contents: new Map([['part', `<time dateTime="x">${text}</time><input name="form_token" value="${token}"/>`]]),
    lists: new Map(),
  })
  expect(changes.since(at('3 s ago', 'one'))).toBeDefined()
  expect(changes.since(at('4 s ago', 'two'))).toBeUndefined()
})

test('another order is a change, and a row that comes back is sent again', () => {
  const changes = createChanges()
  const list = (...keys: string[]) => ({
    contents: noContents,
    lists: new Map([['list', rowsOf(...keys.map((key): [string, string] => [key, `<tr>${key}`]))]]),
  })
  changes.since(list('a', 'b'))
  expect(changes.since(list('b', 'a'))?.lists.list).toEqual({ order: ['b', 'a'], rows: {} })
  expect(changes.since(list('a'))?.lists.list).toEqual({ order: ['a'], rows: {} })
  expect(changes.since(list('b', 'a'))?.lists.list).toEqual({ order: ['b', 'a'], rows: { b: '<tr>b' } })
})
