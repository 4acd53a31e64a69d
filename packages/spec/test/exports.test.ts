import { expect, test } from 'vitest'
import * as fakes from '../src/fakes.ts'
import * as msw from '../src/msw.ts'
import { operationTable, serverOfPathWithoutUser } from '../src/operations.ts'
import * as validators from '../src/validators.ts'
import { at, document, entries } from './document.ts'

const schemas = entries(at(document, 'components', 'schemas')).map(([name]) => name)
const operationIds = entries(at(document, 'paths')).flatMap(([, item]) =>
  entries(item).flatMap(([, operation]) => {
    const id = at(operation, 'operationId')
    return typeof id === 'string' ? [id] : []
  }),
)

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

test('every schema has a validator and a fake', () => {
  expect(schemas.filter((name) => !(`v${name}` in validators))).toEqual([])
  expect(schemas.filter((name) => !(`fake${name}` in fakes))).toEqual([])
})

test('every operation has a handler', () => {
  expect(Object.keys(msw).sort()).toEqual(
    [...operationIds.map((id) => `handle${capitalised(id)}`), 'createMswHandlers'].sort(),
  )
})

test('the table has the method, the path, the servers and the token of every operation', () => {
  expect(Object.keys(operationTable).toSorted()).toEqual(operationIds.toSorted())
  for (const { method, path, servers, token } of Object.values(operationTable)) {
    const operation = at(document, 'paths', path, method.toLowerCase())
    expect(at(operation, 'security', '0') ?? {}).toEqual(token === null ? {} : { [token]: ['surveillance_api'] })
    const own = at(document, 'paths', path, 'servers')
    expect(servers).toEqual(
      own === undefined ? ['auth', 'ingest', 'ui'] : entries(own).map(([, server]) => at(server, 'x-server')),
    )
  }
})

test("the paths without a user's token are those of no user's operation, and have no parameters", () => {
  const ofUsers = new Set<string>(
    Object.values(operationTable).flatMap(({ token, path }) => (token === 'userToken' ? [path] : [])),
  )
  const others = Object.values(operationTable)
    .map(({ path }) => path)
    .filter((path) => !ofUsers.has(path))

  expect(Object.keys(serverOfPathWithoutUser).toSorted()).toEqual(others.toSorted())
  expect(others.filter((path) => path.includes('{'))).toEqual([])
})
