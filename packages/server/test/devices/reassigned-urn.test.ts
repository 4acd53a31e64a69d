/** A URN part that an operator gives to another account: nothing of the old account is shown, sent again or trusted. */
import type { RecentPositionReportList } from '@posrep/spec'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAdministration } from '../../src/admin/administration.ts'
import { createApp } from '../../src/composition/app.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import type { JsonList } from '../../src/http/operation/json-list.ts'
import { createCall } from '../../src/portal/visit/call.ts'
import { toLog } from '../../src/relays/deliveries/delivery.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { aReport } from '../a-report.ts'
import { silentLogger } from '../a-server.ts'
import { acmeFleet } from '../admin/an-administration.ts'
import { fullStorages } from '../full-storages.ts'

const urn = 'urn:aa:device:fleet:roof1'
const origin = 'https://localhost'
const dayMs = 24 * 60 * 60_000

describe.each(fullStorages)('on $name', ({ open }) => {
  async function aService() {
    const clock = createManualClock(Date.parse('2026-01-07T06:22:10Z'))
    const storage = await open({ clock })
    const { directory, store, reportLog, deliveryLog, recentReports, recentDeliveries } = storage
    const settings = resolveSettings({ flags: { air: 'off' }, environment: {} })
    const origins = { auth: origin, ingest: origin, ui: origin }
    const app = await createApp({ settings, storage, origins, clock, logger: silentLogger, version: '1.2.3' })
    const admin = createAdministration({
      directory,
      store,
      authOrigin: origin,
      reportLog,
      deliveryLog,
      clock,
      revoke: async () => {},
      audit: () => {},
      rules: { sensorIdPolicy: 'strict', allowLoopbackRedirects: false },
    })
    for (const id of ['acme', 'other']) await admin.accounts.add({ id, name: id })
    await admin.clients.add(acmeFleet)
    await admin.sensors.add({ localId: 'roof1', client: 'fleet' })
    const of = (accountId: string) =>
      createCall(app.handlers, { kind: 'user', userId: 'u', accountId, clientId: 'c', scopes: [], tokenId: 't' }, '')
    let seq = 0

    return {
      ...{ app, admin, clock, reportLog, deliveryLog },
      of,
      /** Stores a recent report, a delivered message and a buried one, all with this name. */
      async store(name: string): Promise<string> {
        const body = toLog({ id: name, positions: 1, message: `"${name}"` })
        await deliveryLog.append([{ queue: urn, body }])
        const [lease] = await deliveryLog.lease({ queues: 1, entries: 1, leaseMs: 60_000 })
        const [entry] = lease?.entries ?? []
        if (!lease || !entry) throw new Error('Nothing to lease')
        await deliveryLog.settle(lease, { accepted: [], buried: [{ seq: entry.seq, reason: 'refused' }] })
        const [appendedAtMs, endedAtMs] = [clock.now(), clock.now()]
        const ended = { appendedAtMs, endedAtMs, positions: 1, attemptCount: 1, attempts: [], reason: null }
        const shown = { messageId: name, message: `"${name}"`, isTruncated: false, state: 'delivered' } as const
        await recentDeliveries.keep([{ ...ended, ...shown, deviceUrn: urn, id: `dl_${1_000 + ++seq}` }])
        const bound = { sinceMs: 0, limit: 100, maxBytes: 1e6, maxBytesOfClient: 1e6 }
        const report = JSON.stringify({ ...aReport(), name })
        await recentReports.append(urn, [{ seq, receivedAtMs: clock.now(), report, positions: 1, tags: [] }], bound)
        return `dl_${entry.seq}`
      },
      async transfer(): Promise<void> {
        await admin.sensors.remove(urn)
        await admin.clients.remove('fleet')
        await admin.clients.add({ ...acmeFleet, account: 'other', reuseTrustedUrnPart: true })
        await admin.sensors.add({ localId: 'roof1', client: 'fleet' })
      },
    }
  }

  test('the new account sees and sends again only what came after the device was registered for it', async () => {
    const { clock, deliveryLog, of, store, transfer } = await aService()
    const old = await store('old')
    await clock.advance(1_000)
    await transfer()
    const call = of('other')
    const path = { deviceId: urn }
    expect((await call('listDeliveries', { path })).buried).toBe(0)
    await clock.advance(1_000)
    const own = await store('own')

    // The handler's body; the HTTP layer writes it.
    const recent = (await call('listRecentReports', { path })) as unknown as JsonList<RecentPositionReportList>
    let text = ''
    for await (const part of recent.text()) text += part
    expect(JSON.parse(text).data).toMatchObject([{ name: 'own' }])
    const { data, buried, pending } = await call('listDeliveries', { path })
    expect(data.map(({ messageId }) => messageId)).toEqual(['own', 'own'])
    expect([buried, pending]).toEqual([1, 0])
    await expect(call('getDelivery', { path: { ...path, deliveryId: old } })).rejects.toMatchObject({
      code: 'delivery_not_found',
    })
    await expect(call('resendDelivery', { path: { ...path, deliveryId: old } })).rejects.toMatchObject({
      code: 'delivery_not_found',
    })
    expect((await call('getDelivery', { path: { ...path, deliveryId: own } })).messageId).toBe('own')
    expect(await call('resendBuriedDeliveries', { path })).toEqual({ resent: 1, buried: 0 })
    const waiting = await deliveryLog.list(urn, { limit: 10 })
    expect(waiting.map(({ body }) => body.includes('"own"'))).toEqual([true])
  })

  test('its charts begin with the minute after the device was registered for it', async () => {
    const { clock, of, store, transfer } = await aService()
    await store('old')
    await clock.advance(1_000)
    await transfer()
    const getDevice = () => of('other')('getDevice', { path: { deviceUrn: urn } })

    expect(await getDevice()).toMatchObject({ positionReportMetrics: [], lastReportAt: null })
    await clock.advance(60_000)
    await store('own')
    expect((await getDevice()).positionReportMetrics).toMatchObject([{ reports: 1 }])
  })

  test('an operator cannot send the old account’s messages to the relay of the new one', async () => {
    const { admin, clock, store, transfer } = await aService()
    const id = Number((await store('old')).slice('dl_'.length))
    await clock.advance(1_000)
    await transfer()

    expect(await admin.deliveries.retryAll(urn)).toBe(0)
    await expect(admin.deliveries.retry([id])).rejects.toThrow('is of another account')
  })

  test('reports and messages that still waited are set aside', async () => {
    const { app, clock, reportLog, deliveryLog, transfer } = await aService()
    await reportLog.append([{ queue: urn, body: JSON.stringify(aReport()) }])
    await deliveryLog.append([{ queue: urn, body: toLog({ id: 'old', positions: 1, message: '"old"' }) }])
    await clock.advance(1_000)
    await transfer()

    const stop = app.startWorkers()
    onTestFinished(stop)

    for (const log of [reportLog, deliveryLog]) {
      const reasons = await vi.waitUntil(async () => {
        const found = await log.listBuried({ limit: 10 })
        return found.length > 0 && found.map(({ reason }) => reason)
      }, 10_000)
      expect(reasons).toEqual([expect.stringMatching(/of another account, (which|whose device) had this URN before$/)])
    }
  })

  test('for 30 days, the URN part of a removed client is refused to other accounts, and given back to its own', async () => {
    const { admin, clock } = await aService()
    await admin.sensors.remove(urn)
    await admin.clients.remove('fleet')
    const add = (account: string, id = 'fleet') => admin.clients.add({ ...acmeFleet, id, account, urnPart: 'fleet' })

    await expect(add('other')).rejects.toThrow('--reuse-trusted-urn-part')
    await clock.advance(30 * dayMs - 1)
    await expect(add('other')).rejects.toThrow('belonged to the account "acme"')
    expect(await add('acme')).toMatchObject({ urnPart: 'fleet' })
    await admin.clients.remove('fleet')
    await clock.advance(30 * dayMs)
    expect(await add('other')).toMatchObject({ urnPart: 'fleet' })
  })

  test('an account with the id of one that was removed is another owner', async () => {
    const { admin } = await aService()
    await admin.sensors.remove(urn)
    await admin.clients.remove('fleet')
    await admin.accounts.remove('acme')
    await admin.accounts.add({ id: 'acme', name: 'Somebody else' })

    await expect(admin.clients.add(acmeFleet)).rejects.toThrow('belonged to an account that was removed')
  })
})
