/** Checks of areas: one at a time of all accounts. */
import type { AirAreaList } from '@posrep/spec'
import { expect, test } from 'vitest'
import { airOperations } from '../../src/air/operations.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { toOperationRequest } from '../../src/http/operation/operation-request.ts'
import { picturesOf } from './a-picture.ts'

const areas: AirAreaList = { type: 'FeatureCollection', features: [] }

test('an account that sends many lists of areas at once delays another one by a list, and does not make it refused', async () => {
  const { setAirAreas } = airOperations({
    ...picturesOf({}),
    budget: { during: (_, read) => read(), inPortions: (_, portions) => portions },
    clock: createManualClock(),
  })
  const checked: string[] = []
  async function put(accountId: string) {
    const principal = { kind: 'user' as const, userId: 'u', accountId, clientId: 'app', scopes: [], tokenId: 't' }
    await setAirAreas(toOperationRequest<'setAirAreas'>({ body: areas }, { principal }))
    checked.push(accountId)
  }
  await Promise.all([...Array.from({ length: 30 }, () => put('acme')), put('other')])

  expect(checked).toHaveLength(31)
  expect(checked.indexOf('other')).toBeLessThan(3)
})
