import type { Device, DeviceList, OperationId } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { JsonList, type Portions } from '../../../src/http/operation/json-list.ts'
import { limitRates } from '../../../src/http/operation/limit-rates.ts'
import type { Handlers } from '../../../src/http/operation/operation.ts'
import { toOperationRequest } from '../../../src/http/operation/operation-request.ts'
import type { Principal } from '../../../src/ports/principal.ts'
import { callsPerMinute } from '../../../src/settings/rates.ts'

const pilot: Principal & { kind: 'user' } = {
  kind: 'user',
  userId: 'pilot',
  accountId: 'acme',
  scopes: [],
  clientId: 'app',
  tokenId: 't',
}

const answer = async () => ({ status: 204 }) as const

function limitedTo(rates: Partial<Record<OperationId, number | null>>) {
  const clock = createManualClock()
  const unlimited = Object.fromEntries(Object.keys(callsPerMinute).map((id) => [id, answer]))
  const handlers = limitRates(unlimited as unknown as Handlers, {
    clock,
    callsPerMinute: { ...callsPerMinute, ...rates },
  })
  const path = { deviceUrn: 'urn:aa:device:acme:roof1' }
  const revoke = (accountId = 'acme', userId = 'pilot') =>
    handlers.revokeDeviceTokens(
      toOperationRequest<'revokeDeviceTokens'>({ path }, { principal: { ...pilot, userId, accountId } }),
    )
  return { clock, revoke }
}

test('an account may call an operation so often in a minute, with all its users', async () => {
  const { clock, revoke } = limitedTo({ revokeDeviceTokens: 3 })
  for (const user of ['pilot', 'other', 'pilot']) await revoke('acme', user)
  await expect(revoke()).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'More than 3 calls of revokeDeviceTokens by this account in a minute; try again in 60 s',
    headers: { 'Retry-After': '60' },
  })
  await revoke('another account')
  await clock.advance(60_000)
  await revoke()
})

test('each further portion of a list that is read counts as a call', async () => {
  const device = { deviceId: 'urn:aa:device:acme:roof1' } as Device
  async function* portions(): Portions<DeviceList> {
    for (let n = 0; n < 3; n++) yield [device]
    return {}
  }
  const listDevices = async () => ({ status: 200 as const, body: await JsonList.start<DeviceList>(portions()) })
  const handlers = limitRates({ listDevices } as unknown as Handlers, {
    clock: createManualClock(),
    callsPerMinute: { ...callsPerMinute, listDevices: 7 },
  })
  const list = () => handlers.listDevices(toOperationRequest<'listDevices'>({}, { principal: pilot }))
  const body = async () => (await list()).body as JsonList<DeviceList>

  expect(await (await body()).objects()).toHaveLength(3)
  let text = ''
  for await (const part of (await body()).text()) text += part
  expect(JSON.parse(text).data).toHaveLength(3)
  await (await body()).close()
  await expect(list()).rejects.toMatchObject({ code: 'too_many_requests' })
})

test('an operation with limits of its own is not limited', async () => {
  const { revoke } = limitedTo({ revokeDeviceTokens: null })
  for (let n = 0; n < 1_000; n++) await revoke()
})
