/**
 * The roles of a process (`--roles`) and the operations that belong to each.
 * In: all operations. Out: those that this process answers. Every process answers the operations about itself: health,
 * readiness, metrics, version, OpenAPI document.
 */
import type { OperationId } from '@posrep/spec'
import type { Handlers } from '../http/operation/operation.ts'

/** `worker` has no operations: it runs the pipeline, the air pictures and the courier. */
export const allRoles = ['identity', 'ingest', 'ui', 'worker'] as const
export type Role = (typeof allRoles)[number]

/** A process with one of these roles answers the operation; an empty list means every process. */
const rolesOf: Record<OperationId, readonly Role[]> = {
  authorize: ['identity'],
  issueToken: ['identity'],
  revokeToken: ['identity'],
  getJwks: ['identity'],
  getAuthorizationServerMetadata: ['identity'],

  submitPositionReport: ['ingest'],
  consumePairingToken: ['ingest', 'ui'],

  listDevices: ['ui'],
  getDevice: ['ui'],
  changeDevice: ['ui'],
  getDeliverySummary: ['ui'],
  removeDevice: ['ui'],
  getDeviceHistory: ['ui'],
  revokeDeviceTokens: ['ui'],
  toggleStoringPositionReports: ['ui'],
  listRecentReports: ['ui'],
  createSensorRequests: ['ui'],
  listSensorRequests: ['ui'],
  createPairingRequest: ['ui'],
  getPairingRequest: ['ui'],
  cancelPairingRequest: ['ui'],
  updateRelay: ['ui'],
  changeRelayAddress: ['ui'],
  sendTestMessage: ['ui'],
  listDeliveries: ['ui'],
  getDelivery: ['ui'],
  resendDelivery: ['ui'],
  resendBuriedDeliveries: ['ui'],
  listAirTracks: ['ui'],
  getAirTrack: ['ui'],
  listAirHistory: ['ui'],
  listAirAlerts: ['ui'],
  listAirAreas: ['ui'],
  setAirAreas: ['ui'],
  listAirSensors: ['ui'],
  followAir: ['ui'],
  listAirAircraft: ['ui'],
  listAirTracksAsGeoJson: ['ui'],

  getHealth: [],
  getReadiness: [],
  getVersion: [],
  getMetrics: [],
  getOpenApiDocument: [],
}

export function handlersOf(roles: readonly Role[], handlers: Handlers): Partial<Handlers> {
  const isOurs = (operationId: string) => {
    // The keys of `handlers` are operation ids.
    const needed = rolesOf[operationId as OperationId]
    return needed.length === 0 || needed.some((role) => roles.includes(role))
  }
  return Object.fromEntries(Object.entries(handlers).filter(([operationId]) => isOurs(operationId)))
}
