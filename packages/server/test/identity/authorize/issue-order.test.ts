/** In what order an issue speaks with its storage, and how often: each call is a turn at a thread or a way over a network. */
import { expect, test } from 'vitest'
import { memoryStorage } from '../../../src/composition/storage.ts'
import { anIdentity, deviceTokenRequest, fleetCredentials } from '../an-identity.ts'

/** Calls of one turn of the event loop stand in one line, as a backend gets them at once. */
async function aCountedIdentity() {
  const turns: string[][] = []
  let isSameTurn = false

  function counted<T extends object>(name: string, port: T): T {
    return new Proxy(port, {
      get(target, key, receiver) {
        const method: unknown = Reflect.get(target, key, receiver)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => {
          if (!isSameTurn) turns.push([])
          isSameTurn = true
          turns.at(-1)?.push(`${name}.${String(key)}`)
          // As a backend elsewhere does: nothing is answered in the turn in which it was asked.
          return new Promise((resolve) => setImmediate(resolve)).then(() => {
            isSameTurn = false
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
    turns.length = 0
    expect(await work()).toMatchObject({ status: 200 })
    return turns.map((turn) => turn.join(' '))
  }
  return { identity, during }
}

test('a device token takes three turns: the client, the sensor, and writing with the feed asked behind it', async () => {
  const { identity, during } = await aCountedIdentity()

  expect(await during(() => identity.token(deviceTokenRequest))).toEqual([
    'directory.find',
    'directory.find',
    'store.put feed.find',
  ])
})

test('a refresh takes four turns: the client, the family, the sensor, and rotating with the feed asked behind it', async () => {
  const { identity, during } = await aCountedIdentity()
  const { refresh_token: refreshToken } = (await identity.token(deviceTokenRequest)).body

  expect(await during(() => identity.refresh(refreshToken, fleetCredentials))).toEqual([
    'directory.find',
    'store.get',
    'directory.find',
    'store.replace feed.find',
  ])
})
