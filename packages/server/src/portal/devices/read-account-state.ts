/**
 * Reads what is known of the account's devices besides their records.
 * In: a visit. Out: the sensors of its air picture, its relays that are being retried, and its deliveries in numbers;
 * read once for all live pages.
 */
import type { AirSensor, DeliverySummary } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import type { Visit } from '../visit/visit.ts'
import type { AccountState } from './device-state.ts'

type Reader = Pick<Visit, 'call' | 'share' | 'readOrLast' | 'viewer'>

export async function readAccountState(
  visit: Reader,
): Promise<AccountState & { deliveries: Omit<DeliverySummary, 'retrying'> }> {
  const { call, share, readOrLast, viewer } = visit
  const [sensors, { retrying, ...deliveries }] = await Promise.all([
    share('sensors', () => readSensors(call)),
    share('deliveries', () => readOrLast('deliveries', () => call('getDeliverySummary', {}))),
  ])
  return {
    nowMs: viewer.nowMs,
    sensors: sensors && new Map(sensors.map((sensor) => [sensor.deviceId, sensor])),
    retrying: new Map(retrying.map((relay) => [relay.deviceId, relay])),
    deliveries,
  }
}

/** Undefined if the air picture is switched off, or cannot be read now. */
async function readSensors(call: Visit['call']): Promise<AirSensor[] | undefined> {
  try {
    return await (await call('listAirSensors', {})).objects<AirSensor>()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
