import type {
  AirAreaList,
  AirTrackCollection,
  AirTrackList,
  Delivery,
  Device,
  DeviceList,
  PairingRequest,
  PositionReport,
  paths,
  RecentPositionReport,
  RecentPositionReportList,
  SensorRequestList,
} from '@posrep/spec'
import type { TokenOperationId } from '@posrep/spec/operations'
import type { Client as RawClient } from 'openapi-fetch'
import { expectTypeOf, test } from 'vitest'
import { type AirCalls, createAir, type FollowedAir, followAir } from '../../src/air.ts'
import {
  ApiError,
  type ApiErrorCode,
  type Calls,
  type Client,
  createClient,
  createPosrep,
  type LoginErrorCode,
  type Posrep,
  type PosrepError,
  type Session,
  type SessionErrorCode,
  type Tokens,
} from '../../src/index.ts'
import { watchRecent } from '../../src/watch.ts'

declare const client: Client
declare const posrep: Posrep
declare const session: Session
declare const report: PositionReport

test('there is a call for each operation that takes a token, and for no other', () => {
  expectTypeOf<keyof Calls | keyof AirCalls | 'followAir'>().toEqualTypeOf<TokenOperationId>()
  expectTypeOf<keyof Calls & keyof AirCalls>().toBeNever()
})

test("results are the document's types", () => {
  expectTypeOf(client.listDevices).returns.resolves.toEqualTypeOf<DeviceList>()
  expectTypeOf(client.getDevice).returns.resolves.toEqualTypeOf<Device>()
  expectTypeOf(client.listRecentReports).returns.resolves.toEqualTypeOf<RecentPositionReportList>()
  expectTypeOf(client.toggleStoringPositionReports).returns.resolves.toEqualTypeOf<boolean>()
  expectTypeOf(client.updateRelay).returns.resolves.toEqualTypeOf<Device>()
  expectTypeOf(client.sendTestMessage).returns.resolves.toEqualTypeOf<Delivery>()
  expectTypeOf(client.createPairingRequest).returns.resolves.toEqualTypeOf<PairingRequest>()
  expectTypeOf(client.createSensorRequests).returns.resolves.toEqualTypeOf<SensorRequestList>()
  expectTypeOf(client.submitPositionReport).returns.resolves.toEqualTypeOf<void>()
  expectTypeOf(client.raw).toEqualTypeOf<RawClient<paths>>()
  expectTypeOf(createAir(client).listAirTracks).returns.resolves.toEqualTypeOf<AirTrackList>()
  expectTypeOf(createAir(posrep).listAirTracksAsGeoJson).returns.resolves.toEqualTypeOf<AirTrackCollection>()
  expectTypeOf(createAir(posrep).setAirAreas).parameter(0).toEqualTypeOf<AirAreaList>()
  expectTypeOf(followAir(client)).toExtend<AsyncIterable<FollowedAir>>()
  expectTypeOf(watchRecent(client, 'urn')).toExtend<AsyncIterable<RecentPositionReport>>()
})

test('every call takes a signal and a time', () => {
  const options = { signal: new AbortController().signal, timeoutMs: 1_000 }
  client.listDevices(options)
  client.getDevice('urn', options)
  client.cancelPairingRequest('pr_1', options)
  client.submitPositionReport(report, { deviceToken: 'token', ...options })
  // @ts-expect-error a number of ms
  client.listDevices({ timeoutMs: '1s' })
})

test('wrong calls do not compile', () => {
  // @ts-expect-error no such option
  client.listDevices({ limitt: 10 })
  // @ts-expect-error a number
  client.listRecentReports('urn', { limit: '10' })
  // @ts-expect-error no such state
  client.listDeliveries('urn', { state: 'lost' })
  // @ts-expect-error the URN is missing
  client.getDevice()
  // @ts-expect-error the change is missing
  client.changeDevice('urn')
  // @ts-expect-error the device's token is missing
  client.submitPositionReport(report)
  // @ts-expect-error a report has positions
  client.submitPositionReport({}, { deviceToken: 'token' })
  // @ts-expect-error no such operation
  client.deleteDevice('urn')
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

test('a Posrep has one origin or three', () => {
  const app = { clientId: 'map-view', redirectUri: 'https://app.example.net/callback' }
  expectTypeOf(createPosrep({ origin: '', ...app })).toEqualTypeOf<Posrep>()
  createPosrep({ authOrigin: '', ingestOrigin: '', uiOrigin: '', ...app })
  // @ts-expect-error both
  createPosrep({ origin: '', uiOrigin: '', ...app })
  // @ts-expect-error two of three
  createPosrep({ authOrigin: '', uiOrigin: '', ...app })
  // @ts-expect-error no redirect URI
  createPosrep({ origin: '', clientId: 'map-view' })
})

test('a Posrep is a client', () => {
  expectTypeOf(posrep).toExtend<Client>()
  expectTypeOf(posrep.handleCallback).returns.resolves.toEqualTypeOf<boolean>()
  expectTypeOf(posrep.signIn).returns.resolves.toEqualTypeOf<never>()
  expectTypeOf(posrep.session.findTokens).returns.resolves.toEqualTypeOf<Tokens | undefined>()
})

test("an error's code is a union of literals", () => {
  expectTypeOf<ApiError['code']>().toEqualTypeOf<ApiErrorCode>()
  expectTypeOf<PosrepError['code']>().toEqualTypeOf<ApiErrorCode | LoginErrorCode | SessionErrorCode>()
  expectTypeOf<PosrepError['status']>().toEqualTypeOf<number | undefined>()
  // @ts-expect-error no such code
  new ApiError('gone', '')
})

test('the raw client knows the paths of the document', () => {
  // @ts-expect-error no such path
  client.raw.GET('/v1/device')
})
