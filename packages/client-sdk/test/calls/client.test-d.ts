import type { Device, DeviceList, PairingRequest, paths, RecentPositionReportList } from '@posrep/spec'
import type { Client as RawClient } from 'openapi-fetch'
import { expectTypeOf, test } from 'vitest'
import { ApiError, type ApiErrorCode, type Client, createClient, type Session } from '../../src/index.ts'

declare const client: Client
declare const session: Session

test("results are the document's types", () => {
  expectTypeOf(client.listDevices).returns.resolves.toEqualTypeOf<DeviceList>()
  expectTypeOf(client.getDevice).returns.resolves.toEqualTypeOf<Device>()
  expectTypeOf(client.listRecentReports).returns.resolves.toEqualTypeOf<RecentPositionReportList>()
  expectTypeOf(client.toggleStoringPositionReports).returns.resolves.toEqualTypeOf<boolean>()
  expectTypeOf(client.updateRelay).returns.resolves.toEqualTypeOf<Device>()
  expectTypeOf(client.createPairingRequest).returns.resolves.toEqualTypeOf<PairingRequest>()
  expectTypeOf(client.raw).toEqualTypeOf<RawClient<paths>>()
})

test('a relay has one of three states, each with a name', () => {
  client.updateRelay('urn', { url: 'https://relay.example.net', state: 'Active' })
  // @ts-expect-error the number is used only in the request
  client.updateRelay('urn', { url: 'https://relay.example.net', state: 1 })
  // @ts-expect-error no such state
  client.updateRelay('urn', { url: 'https://relay.example.net', state: 'Paused' })
})

test('a client requires either a session or a function', () => {
  createClient({ origin: '', session })
  createClient({ origin: '', getToken: async () => 'token' })
  // @ts-expect-error both
  createClient({ origin: '', session, getToken: () => 'token' })
  // @ts-expect-error neither
  createClient({ origin: '' })
})

test("an error's code is a union of literals", () => {
  expectTypeOf<ApiError['code']>().toEqualTypeOf<ApiErrorCode>()
  // @ts-expect-error no such code
  new ApiError('gone', '')
})

test('the raw client knows the paths of the document', () => {
  // @ts-expect-error no such path
  client.raw.GET('/v1/device')
})
