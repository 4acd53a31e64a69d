/** The order and number of storage calls when tokens are issued: each round trip takes time. */
import { expect, test } from 'vitest'
import { memoryStorage } from '../../../src/composition/storage/storage.ts'
import { anIdentity, deviceTokenRequest, fleetCredentials } from '../an-identity.ts'

/** Groups the calls of one turn of the event loop, because a backend receives them in one round trip. */
async function aCountedIdentity() {
  const roundTrips: string[][] = []
  let isSameRoundTrip = false

  function counted<T extends object>(name: string, port: T): T {
    return new Proxy(port, {
      get(target, key, receiver) {
        const method: unknown = Reflect.get(target, key, receiver)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => {
          if (!isSameRoundTrip) roundTrips.push([])
          isSameRoundTrip = true
          roundTrips.at(-1)?.push(`${name}.${String(key)}`)
          // Like a remote backend, answer in a later turn of the event loop.
          return new Promise((resolve) => setImmediate(resolve)).then(() => {
            isSameRoundTrip = false
            return method.apply(target, args)
          })
        }
      },
    })
  }

  const identity = await anIdentity({
    open: async ({ clock }) => {
      const { store, directory, revocationFeed } = memoryStorage({ clock })
      return {
        store: counted('store', store),
        directory: counted('directory', directory),
        revocationFeed: counted('feed', revocationFeed),
      }
    },
  })
  const during = async (work: () => Promise<{ status: number }>) => {
    roundTrips.length = 0
    expect(await work()).toMatchObject({ status: 200 })
    return roundTrips.map((calls) => calls.join(' '))
  }
  return { identity, during }
}

test('a device token takes three round trips: the client, the sensor, and the write together with the feed', async () => {
  const { identity, during } = await aCountedIdentity()
  for (let n = 0; n < 2; n++) await identity.token(deviceTokenRequest)

  expect(await during(() => identity.token(deviceTokenRequest))).toEqual([
    'directory.find',
    'directory.find',
    'store.put feed.find',
  ])
})

test('the first device token takes two more, for a slot, and so do ever fewer of those that follow within a minute', async () => {
  const { identity, during } = await aCountedIdentity()
  const roundTrips: string[][] = []
  for (let n = 0; n < 16; n++) roundTrips.push(await during(() => identity.token(deviceTokenRequest)))

  const withSlot = ['directory.find', 'directory.find', 'store.get', 'store.replace', 'store.put feed.find']
  expect(roundTrips[0]).toEqual(withSlot)
  expect(roundTrips.map(({ length }) => length)).toEqual([5, 5, 3, 5, 3, 3, 3, 5, 3, 3, 3, 3, 3, 3, 3, 5])
})

test('a refresh takes four round trips: the client, the family, the sensor, and the rotation together with the feed', async () => {
  const { identity, during } = await aCountedIdentity()
  const { refresh_token: refreshToken } = (await identity.token(deviceTokenRequest)).body

  expect(await during(() => identity.refresh(refreshToken, fleetCredentials))).toEqual([
    'directory.find',
    'store.get',
    'directory.find',
    'store.replace feed.find',
  ])
})
