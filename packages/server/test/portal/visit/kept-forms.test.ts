/** What the portal keeps of forms that the API refuses, on every storage. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { toFormToken } from '../../../src/identity/people/sign-in-transaction.ts'
import { createFlashes } from '../../../src/portal/visit/flash.ts'
import { maskToken } from '../../../src/portal/visit/masked-token.ts'
import type { PortalSession } from '../../../src/portal/visit/session.ts'
import type { Store } from '../../../src/ports/storage/store.ts'
import { aServer, roof1 } from '../../a-server.ts'
import { storedServers } from '../../a-stored-server.ts'
import { storages } from '../../identity/stores.ts'
import { aPortalVisitor } from '../a-portal-visitor.ts'

const session: PortalSession = {
  secret: 'a',
  principal: { kind: 'user', userId: 'u', accountId: 'acme', clientId: 'portal', scopes: [], tokenId: 't' },
}

/** The keys that were put and are still there. */
function countKeys(store: Store): { store: Store; keys(): Promise<number> } {
  const put = new Set<string>()
  return {
    store: {
      ...store,
      put(key, value, ttlMs) {
        put.add(key)
        return store.put(key, value, ttlMs)
      },
    },
    async keys() {
      const found = await Promise.all([...put].map((key) => store.get(key)))
      return found.filter((value) => value !== undefined).length
    },
  }
}

describe.each(storages)('on $name', ({ open }) => {
  test('a session keeps one refused form, the last, however many pages it is submitted on', async () => {
    const { store } = await open({ clock: createManualClock() })
    const counted = countKeys(store)
    const flashes = createFlashes({ store: counted.store })
    const refused = (n: number) => ({
      refused: { purpose: `details:${n}`, fields: { name: '\t' }, reason: 'no' },
    })

    for (let n = 0; n < 200; n++) await flashes.keep(session, `/devices/${n}`, refused(n))

    expect(await counted.keys()).toBe(1)
    expect(await flashes.take(session, '/devices/0')).toBeUndefined()
    expect(await flashes.take(session, '/devices/199')).toMatchObject(refused(199))
    expect(await counted.keys()).toBe(0)
  })
})

describe.each(storedServers)('a server on $name', ({ start }) => {
  test('keeps nothing of refused forms about devices that the account does not have', async () => {
    // The page of devices asks other processes for the air picture, and the manual clock stands still.
    const server = await start({ flags: { air: 'off' } })
    const visitor = aPortalVisitor(server)
    await visitor.enter()
    const secret = visitor.cookies.get('__Host-posrep-portal') ?? ''
    const before = await server.keys()
    expect(before).not.toEqual([])
    const statuses = new Set<number>()

    for (let n = 0; n < 50; n++) {
      const token = maskToken(toFormToken(secret, 'portal', `details:unknown${n}`))
      const answer = await visitor.post(`/devices/unknown${n}/details`, { form_token: token, name: '\t'.repeat(600) })
      statuses.add(answer.status)
    }

    expect(statuses).toEqual(new Set([404]))
    expect(await server.keys()).toEqual(before)
  })
})

async function aVisitor() {
  const server = await aServer()
  onTestFinished(() => server.stop())
  const visitor = aPortalVisitor(server)
  return { visitor, page: await visitor.enter(`/devices/${encodeURIComponent(roof1)}`) }
}

test('a form of the portal that is larger than its fields is refused with 413', async () => {
  const { visitor, page } = await aVisitor()

  expect((await visitor.submit(page, 'Save', { name: 'x'.repeat(9 * 1024) })).status).toBe(413)
})

test('the longest relay address fits into its form', async () => {
  const { visitor, page } = await aVisitor()
  const url = `https://r.example/${'/'.repeat(2_030)}`

  const answer = await visitor.press(page, 'Set address', { url })

  expect(answer.html).toContain(url)
})
