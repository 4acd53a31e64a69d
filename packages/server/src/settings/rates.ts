/**
 * How often an account may call each operation in a minute, by what a call costs: all calls of an account together then
 * take at most a few percent of a core for each operation, and a tenth for lists. Each further portion of a list counts
 * as a call. Lists and large reads also wait for the account's turn (`concurrency/reading-budget.ts`).
 * `null`: has no account, or limits of its own, which are named.
 */
import type { OperationId } from '@posrep/spec'

/** One record by its key. */
const read = 10_000
/** Portions of 200 records: two lists of 10,000 in a second, one of them for the account's live pages. */
const readPortions = 6_000
/** Up to 1,000 records at once. */
const readList = 1_200
/** Reads something of every sensor of the account. */
const readAll = 240
/** One record, written durably. */
const write = 600
/** Reads or checks up to some megabytes, or writes many records. */
const writeMany = 30

export const callsPerMinute: Record<OperationId, number | null> = {
  getMe: read,
  getDevice: read,
  getDeviceHistory: read,
  listDeliveries: read,
  getDelivery: read,
  getPairingRequest: read,
  getAirTrack: read,
  listAirAreas: readList,
  listDevices: readPortions,
  listRecentReports: read,
  listSensorRequests: readPortions,
  getDeliverySummary: readAll,
  listAirTracks: readPortions,
  listAirAlerts: readList,
  listAirSensors: readPortions,
  listAirAircraft: readPortions,
  listAirTracksAsGeoJson: readPortions,
  listAirHistory: readAll,
  // A stream sends the whole picture first.
  followAir: readAll,
  changeDevice: write,
  removeDevice: write,
  toggleStoringPositionReports: write,
  cancelPairingRequest: write,
  revokeDeviceTokens: write,
  resendDelivery: write,
  resendBuriedDeliveries: writeMany,
  createSensorRequests: writeMany,
  // Compares the sides of up to 20,000 positions.
  setAirAreas: 6,
  // `pairing/operations.ts`
  createPairingRequest: null,
  // `relays/update/relay-limits.ts`: updates, test messages and repetitions of an account together.
  updateRelay: null,
  changeRelayAddress: null,
  sendTestMessage: null,
  retryRelay: null,
  // Of a sensor: the backlog of `reports/back-pressure.ts` and `--client-mib`.
  submitPositionReport: null,
  // Without an account. Failures and guesses are limited where they are found.
  issueToken: null,
  revokeToken: null,
  consumePairingToken: null,
  authorize: null,
  signOut: null,
  getJwks: null,
  getAuthorizationServerMetadata: null,
  getHealth: null,
  getReadiness: null,
  getVersion: null,
  getMetrics: null,
  getOpenApiDocument: null,
}
