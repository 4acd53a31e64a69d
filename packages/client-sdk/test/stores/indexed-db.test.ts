import { IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { indexedDbTokenStore } from '../../src/stores/indexed-db.ts'
import { tokenStoreContract } from '../../src/stores/token-store-contract.ts'
import { aTokens } from '../builders.ts'
import { noLocks, someChannels, someLocks } from './a-browser.ts'

tokenStoreContract(test, async () => {
  const [indexedDb, locks, channels] = [new IDBFactory(), someLocks(), someChannels()]
  const open = () => indexedDbTokenStore({ indexedDb, locks, channel: channels.open() })
  return { store: open(), sibling: open() }
})

test('tokens survive a reload', async () => {
  const indexedDb = new IDBFactory()
  await indexedDbTokenStore({ indexedDb, locks: noLocks }).write(aTokens(1))

  expect(await indexedDbTokenStore({ indexedDb, locks: noLocks }).read()).toEqual(aTokens(1))
})

test('without a database the tokens are kept in memory', async () => {
  const store = indexedDbTokenStore({ indexedDb: undefined, locks: noLocks })
  expect(await store.read()).toBeUndefined()
  await store.write(aTokens(1))
  expect(await store.read()).toEqual(aTokens(1))
  await store.clear()
  expect(await store.read()).toBeUndefined()
})
