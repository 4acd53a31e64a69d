/** The contract of the port: the server relies on each of these facts. */
import { test } from 'node:test'
import { storeContract } from '@posrep/server/contracts'
import { openSqliteStore } from './sqlite-store.ts'

storeContract(test, async ({ clock }) => {
  const store = openSqliteStore({ file: ':memory:', clock })
  return { port: store, close: async () => store.close() }
})
