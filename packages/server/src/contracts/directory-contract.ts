/** The contract of every `Directory`: tests that each run on a new directory. */
import assert from 'node:assert/strict'
import type { DeviceRecord, Directory } from '../ports/storage/directory.ts'
import { createFact, type RegisterTest, type Subject } from './contract.ts'

export function directoryContract(test: RegisterTest, create: () => Promise<Subject<Directory>>): void {
  const fact = createFact(test, create, () => undefined)

  fact('an inserted record is found by its id, and only under its kind', async (directory) => {
    assert.equal(await directory.insert('device', aDevice()), true)
    assert.deepEqual(await directory.find('device', aDevice().id), aDevice())
    assert.equal(await directory.find('account', aDevice().id), undefined)
  })

  fact('a second record with the same id or the same unique value is refused', async (directory) => {
    await directory.insert('device', aDevice())
    assert.equal(await directory.insert('device', aDevice({ localId: 'other' })), false)
    assert.equal(await directory.insert('device', aDevice({ id: 'urn:aa:device:beta:roof1' })), false)
    assert.equal(
      await directory.insert('device', aDevice({ id: 'urn:aa:device:beta:roof1', accountId: 'other' })),
      true,
    )
  })

  fact('exactly one of 50 concurrent inserts of a unique value succeeds', async (directory) => {
    const inserted = await Promise.all(
      Array.from({ length: 50 }, (_, n) => directory.insert('device', aDevice({ id: `urn:aa:device:c${n}:roof1` }))),
    )
    assert.equal(inserted.filter(Boolean).length, 1)
  })

  fact(
    'exactly one of 50 concurrent inserts by 50 accounts is the first device with its local ID, until it is removed',
    async (directory) => {
      const first = (n: number) =>
        aDevice({ id: `urn:aa:device:c${n}:roof1`, accountId: `account${n}`, pairing: 'first' })
      const inserted = await Promise.all(Array.from({ length: 50 }, (_, n) => directory.insert('device', first(n))))
      const winner = inserted.indexOf(true)
      assert.equal(inserted.filter(Boolean).length, 1)
      assert.deepEqual(await directory.insertAll('device', [{ ...first(50), pairing: 'later' }, first(51)]), [1])
      assert.equal(await directory.insert('device', { ...first(50), pairing: 'later' }), true)

      await directory.remove('device', first(winner).id)
      assert.equal(await directory.insert('device', first(52)), true)
    },
  )

  fact('each record of an inserted list is found and listed', async (directory) => {
    const devices = ['a', 'b', 'c'].map((localId) => aDevice({ id: `urn:aa:device:acme:${localId}`, localId }))
    assert.deepEqual(await directory.insertAll('device', devices), [])
    assert.deepEqual(await directory.insertAll('device', []), [])

    assert.deepEqual(await directory.find('device', 'urn:aa:device:acme:b'), devices[1])
    const where = { index: 'accountId', equals: 'acme' }
    assert.deepEqual(await directory.list('device', { where }), devices)
    assert.equal(await directory.insert('device', aDevice({ id: 'urn:aa:device:beta:c', localId: 'c' })), false)
  })

  fact('records are counted, all of a kind and by an index', async (directory) => {
    const devices = ['a', 'b', 'c'].map((localId) => aDevice({ id: `urn:aa:device:acme:${localId}`, localId }))
    await directory.insertAll('device', devices)
    await directory.insert('device', aDevice({ id: 'urn:aa:device:beta:a', localId: 'a', accountId: 'other' }))
    await directory.remove('device', 'urn:aa:device:acme:b')

    assert.equal(await directory.count('device'), 3)
    assert.equal(await directory.count('device', { where: { index: 'accountId', equals: 'acme' } }), 2)
    assert.equal(await directory.count('device', { where: { index: 'accountId', equals: 'none' } }), 0)
    assert.equal(await directory.count('account'), 0)
  })

  fact(
    'a list with taken or repeated records is refused as a whole, and their indexes are returned',
    async (directory) => {
      await directory.insert('device', aDevice())
      const free = aDevice({ id: 'urn:aa:device:acme:free', localId: 'free' })
      const sameId = aDevice({ localId: 'other' })
      const sameLocalId = aDevice({ id: 'urn:aa:device:beta:roof1' })
      assert.deepEqual(await directory.insertAll('device', [free, sameId, sameLocalId, free]), [1, 2, 3])

      assert.equal((await directory.list('device')).length, 1)
      assert.equal(await directory.insert('device', free), true)
    },
  )

  fact('exactly one of 20 lists that share a record and are inserted concurrently succeeds', async (directory) => {
    const list = (n: number) => [
      aDevice({ id: `urn:aa:device:acme:own${n}`, localId: `own${n}` }),
      aDevice({ id: `urn:aa:device:c${n}:shared`, localId: 'shared' }),
    ]
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => directory.insertAll('device', list(n))))
    assert.equal(answers.filter((conflicts) => conflicts.length === 0).length, 1)
    assert.equal((await directory.list('device')).length, 2)
  })

  fact('an index lists its records in the order of their ids, page by page', async (directory) => {
    for (const localId of ['c', 'a', 'd', 'b'])
      await directory.insert('device', aDevice({ id: `urn:aa:device:acme:${localId}`, localId }))
    await directory.insert('device', aDevice({ id: 'urn:aa:device:beta:a', localId: 'a', accountId: 'beta' }))
    const where = { index: 'accountId', equals: 'acme' }

    const first = await directory.list('device', { where, limit: 3 })
    const second = await directory.list('device', { where, limit: 3, after: first.at(-1)?.id ?? '' })

    assert.deepEqual(
      [first, second].map((page) => page.map(({ localId }) => localId)),
      [['a', 'b', 'c'], ['d']],
    )
    assert.equal((await directory.list('device')).length, 5)
  })

  fact('50 concurrent changes to one record are all applied', async (directory) => {
    await directory.insert('device', aDevice({ createdAtMs: 0 }))
    await Promise.all(
      Array.from({ length: 50 }, () =>
        directory.update('device', aDevice().id, (device) => ({ ...device, createdAtMs: device.createdAtMs + 1 })),
      ),
    )
    assert.equal((await directory.find('device', aDevice().id))?.createdAtMs, 50)
  })

  fact('a changed record is listed by its new index value only', async (directory) => {
    await directory.insert('device', aDevice())
    await directory.update('device', aDevice().id, (device) => ({ ...device, clientId: 'moved' }))
    assert.equal((await directory.list('device', { where: { index: 'clientId', equals: 'fleet' } })).length, 0)
    assert.equal((await directory.list('device', { where: { index: 'clientId', equals: 'moved' } })).length, 1)
  })

  fact('a change to a missing record returns undefined', async (directory) => {
    assert.equal(await directory.update('device', 'urn:aa:device:acme:none', (device) => device), undefined)
  })

  fact('a removed record frees its id and its unique values', async (directory) => {
    await directory.insert('device', aDevice())
    assert.equal(await directory.remove('device', aDevice().id), true)
    assert.equal(await directory.remove('device', aDevice().id), false)
    assert.equal(await directory.insert('device', aDevice()), true)
  })
}

function aDevice(overrides: Partial<DeviceRecord> = {}): DeviceRecord {
  return {
    id: 'urn:aa:device:acme:roof1',
    localId: 'roof1',
    name: 'Roof',
    accountId: 'acme',
    clientId: 'fleet',
    createdAtMs: 1_767_766_965_000,
    storePositionReports: true,
    relay: null,
    blocked: false,
    pairing: 'allowed',
    ...overrides,
  }
}
