/**
 * The parts of the service that a process runs (`--roles`).
 * In: all operations. Out: those that this process answers; the others are not there. Every process answers the
 * operations of the service itself: health, readiness, metrics, version, the document.
 */
import type { OperationId } from '@posrep/spec'
import type { Handlers } from './http/operation.ts'

/** `worker` answers nothing more: it has the pipeline and the courier. */
export const allRoles = ['identity', 'ingest', 'ui', 'worker'] as const
export type Role = (typeof allRoles)[number]

/** Whoever has one of these roles answers it; none = everybody. */
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
  renameDevice: ['ui'],
  revokeDeviceTokens: ['ui'],
  toggleStoringPositionReports: ['ui'],
  listRecentReports: ['ui'],
  createSensorRequests: ['ui'],
  listSensorRequests: ['ui'],
  createPairingRequest: ['ui'],
  getPairingRequest: ['ui'],
  cancelPairingRequest: ['ui'],
  updateRelay: ['ui'],
  sendTestMessage: ['ui'],
  listDeliveries: ['ui'],
  getDelivery: ['ui'],
  resendDelivery: ['ui'],

  getHealth: [],
  getReadiness: [],
  getVersion: [],
  getMetrics: [],
  getOpenApiDocument: [],
}

export function handlersOf(roles: readonly Role[], handlers: Handlers): Partial<Handlers> {
  const isOurs = (operationId: string) => {
    // `handlers` has operations and nothing else.
    const needed = rolesOf[operationId as OperationId]
    return needed.length === 0 || needed.some((role) => roles.includes(role))
  }
  return Object.fromEntries(Object.entries(handlers).filter(([operationId]) => isOurs(operationId)))
}
