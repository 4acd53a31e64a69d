import { expect, test, vi } from 'vitest'
import type { Channel } from '../../src/ports.ts'
import { tokenStoreContract } from '../../src/stores/token-store-contract.ts'
import { webTokenStore } from '../../src/stores/web.ts'
import { aPage } from '../a-page.ts'
import { aTokens } from '../builders.ts'
import { aStorage, noLocks, someChannels, someLocks } from './a-browser.ts'

tokenStoreContract(test, async () => {
  const [storage, locks, channels] = [aStorage(), someLocks(), someChannels()]
  const open = () => webTokenStore({ storage, locks, channel: channels.open() })
  return { store: open(), sibling: open() }
})

tokenStoreContract(
  (name, body) => test(`without any storage, ${name}`, body),
  async () => {
    const [locks, channels] = [someLocks(), someChannels()]
    const open = () => webTokenStore({ storage: 'localStorage', locks, channel: channels.open() })
    return { store: open(), sibling: open() }
  },
)

test('tokens survive a reload', async () => {
  const storage = aStorage()
  await webTokenStore({ storage, locks: noLocks }).write(aTokens(1))

  expect(await webTokenStore({ storage, locks: noLocks }).read()).toEqual(aTokens(1))
})

test.each(['{', '7', 'null', '{"accessToken":7}'])('an item that contains %s is no tokens', async (item) => {
  const storage = aStorage()
  storage.setItem('posrep.tokens', item)

  expect(await webTokenStore({ storage, locks: noLocks }).read()).toBeUndefined()
})

test('when the storage is full, all tabs use the tokens that could not be stored', async () => {
  const channels = someChannels()
  const storage = aStorage()
  const full = {
    ...storage,
    setItem() {
      throw new Error('quota')
    },
  }
  const other = webTokenStore({ storage, locks: noLocks, channel: channels.open() })
  await other.write(aTokens(1))

  await webTokenStore({ storage: full, locks: noLocks, channel: channels.open() }).write(aTokens(2))
  expect(await other.read()).toEqual(aTokens(2))

  await other.write(aTokens(3))
  expect(await other.read()).toEqual(aTokens(3))
})

test('tokens that could not be stored are replaced by later ones that are', async () => {
  const storage = aStorage()
  let isFull = true
  const setItem = (key: string, value: string) => {
    if (isFull) throw new Error('quota')
    storage.setItem(key, value)
  }
  const store = webTokenStore({ storage: { ...storage, setItem }, locks: noLocks })
  await store.write(aTokens(1))
  isFull = false
  await store.write(aTokens(2))

  expect(await store.read()).toEqual(aTokens(2))
})

test('a storage that worked and fails later rejects, because the tokens may still be there', async () => {
  const storage = aStorage()
  let isBroken = false
  const getItem = (key: string) => {
    if (isBroken) throw new Error('broken')
    return storage.getItem(key)
  }
  const store = webTokenStore({ storage: { ...storage, getItem }, locks: noLocks })
  await store.write(aTokens(1))
  isBroken = true

  await expect(store.read()).rejects.toThrow('broken')
})

test('what other scripts send on the channel is ignored unless it is tokens', async () => {
  const channel: Channel = { postMessage() {}, onmessage: null }
  const store = webTokenStore({ storage: aStorage(), locks: noLocks, channel })
  await store.write(aTokens(1))

  for (const data of [7, null, { unsaved: 7 }, { unsaved: { accessToken: 7 } }, 'none']) {
    channel.onmessage?.(new MessageEvent('message', { data }))
  }

  expect(await store.read()).toEqual(aTokens(1))
})

test('the listener of a tab is called when another tab changes the tokens, until it is removed', async () => {
  const [storage, channels] = [aStorage(), someChannels()]
  const open = () => webTokenStore({ storage, locks: noLocks, channel: channels.open() })
  const [one, other] = [open(), open()]
  const listener = vi.fn()
  const remove = other.subscribe?.(listener)

  await one.write(aTokens(1))
  await one.clear()
  expect(listener).toHaveBeenCalledTimes(2)

  remove?.()
  await one.write(aTokens(2))
  expect(listener).toHaveBeenCalledTimes(2)
})

test('when the browser refuses the lock, the task runs without it', async () => {
  const refused = { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) }
  const store = webTokenStore({ storage: aStorage(), locks: refused })

  expect(await store.lock?.(async () => 7)).toBe(7)
})

test('an error of the task under the lock is not taken for a refused lock', async () => {
  const task = vi.fn(() => Promise.reject(new Error('mine')))
  const store = webTokenStore({ storage: aStorage(), locks: someLocks() })

  await expect(store.lock?.(task)).rejects.toThrow('mine')
  expect(task).toHaveBeenCalledTimes(1)
})

test.each([
  ['storage', 'a message may come before the change can be read'],
  ['pageshow', 'a kept page got no message'],
])('the listener is called at the event "%s" of the window, as %s', async (event) => {
  const page = aPage('https://app.example.net/')
  vi.stubGlobal('window', page)
  const listener = vi.fn()
  const channel: Channel = { postMessage() {}, onmessage: null }
  webTokenStore({ storage: aStorage(), locks: noLocks, channel }).subscribe?.(listener)

  page.dispatch(event, { key: 'posrep.tokens', persisted: true })

  expect(listener).toHaveBeenCalledTimes(1)
  vi.unstubAllGlobals()
})
