// Generated from openapi/ by `pnpm generate`. Do not edit.

export const operationTable = {
 "authorize": {
  "method": "GET",
  "path": "/oauth/v2/authorize",
  "servers": [
   "auth"
  ],
  "token": null
 },
 "issueToken": {
  "method": "POST",
  "path": "/oauth/v2/token",
  "servers": [
   "auth"
  ],
  "token": null
 },
 "revokeToken": {
  "method": "POST",
  "path": "/oauth/v2/revoke",
  "servers": [
   "auth"
  ],
  "token": null
 },
 "signOut": {
  "method": "GET",
  "path": "/oauth/v2/sign-out",
  "servers": [
   "auth"
  ],
  "token": null
 },
 "getJwks": {
  "method": "GET",
  "path": "/oauth/v2/jwks",
  "servers": [
   "auth"
  ],
  "token": null
 },
 "getAuthorizationServerMetadata": {
  "method": "GET",
  "path": "/.well-known/oauth-authorization-server",
  "servers": [
   "auth"
  ],
  "token": null
 },
 "getMe": {
  "method": "GET",
  "path": "/v1/me",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "consumePairingToken": {
  "method": "POST",
  "path": "/v1/pairing-tokens/consume-token",
  "servers": [
   "ingest",
   "ui"
  ],
  "token": null
 },
 "createPairingRequest": {
  "method": "POST",
  "path": "/v1/pairing-requests",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "getPairingRequest": {
  "method": "GET",
  "path": "/v1/pairing-requests/{pairingRequestId}",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "cancelPairingRequest": {
  "method": "DELETE",
  "path": "/v1/pairing-requests/{pairingRequestId}",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "submitPositionReport": {
  "method": "POST",
  "path": "/v1/position-reports",
  "servers": [
   "ingest"
  ],
  "token": "deviceToken"
 },
 "listDevices": {
  "method": "GET",
  "path": "/v1/devices",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "getDevice": {
  "method": "GET",
  "path": "/v1/devices/{deviceUrn}",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "changeDevice": {
  "method": "PATCH",
  "path": "/v1/devices/{deviceUrn}",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "removeDevice": {
  "method": "DELETE",
  "path": "/v1/devices/{deviceUrn}",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listRecentReports": {
  "method": "GET",
  "path": "/v1/devices/{deviceId}/recent",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "toggleStoringPositionReports": {
  "method": "POST",
  "path": "/v1/devices/{deviceUrn}/toggle-storing-position-reports",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "updateRelay": {
  "method": "POST",
  "path": "/v1/devices/{deviceId}/relay",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "changeRelayAddress": {
  "method": "POST",
  "path": "/v1/devices/{deviceId}/relay/change-address",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "sendTestMessage": {
  "method": "POST",
  "path": "/v1/devices/{deviceId}/relay/test-message",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "retryRelay": {
  "method": "POST",
  "path": "/v1/devices/{deviceId}/relay/retry",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "getDeliverySummary": {
  "method": "GET",
  "path": "/v1/deliveries",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listDeliveries": {
  "method": "GET",
  "path": "/v1/devices/{deviceId}/deliveries",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "getDelivery": {
  "method": "GET",
  "path": "/v1/devices/{deviceId}/deliveries/{deliveryId}",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "resendDelivery": {
  "method": "POST",
  "path": "/v1/devices/{deviceId}/deliveries/{deliveryId}/resend",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "resendBuriedDeliveries": {
  "method": "POST",
  "path": "/v1/devices/{deviceId}/resend-buried",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "getDeviceHistory": {
  "method": "GET",
  "path": "/v1/devices/{deviceUrn}/history",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "revokeDeviceTokens": {
  "method": "POST",
  "path": "/v1/devices/{deviceUrn}/revoke-tokens",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listSensorRequests": {
  "method": "GET",
  "path": "/v1/sensor-requests",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "createSensorRequests": {
  "method": "POST",
  "path": "/v1/sensor-requests",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listAirTracks": {
  "method": "GET",
  "path": "/v1/air/tracks",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "getAirTrack": {
  "method": "GET",
  "path": "/v1/air/tracks/{trackId}",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listAirHistory": {
  "method": "GET",
  "path": "/v1/air/history",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listAirAlerts": {
  "method": "GET",
  "path": "/v1/air/alerts",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listAirAreas": {
  "method": "GET",
  "path": "/v1/air/areas",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "setAirAreas": {
  "method": "PUT",
  "path": "/v1/air/areas",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listAirSensors": {
  "method": "GET",
  "path": "/v1/air/sensors",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "followAir": {
  "method": "GET",
  "path": "/v1/air/stream",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listAirAircraft": {
  "method": "GET",
  "path": "/v1/air/aircraft.json",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "listAirTracksAsGeoJson": {
  "method": "GET",
  "path": "/v1/air/tracks.geojson",
  "servers": [
   "ui"
  ],
  "token": "userToken"
 },
 "getHealth": {
  "method": "GET",
  "path": "/healthz",
  "servers": [
   "auth",
   "ingest",
   "ui"
  ],
  "token": null
 },
 "getReadiness": {
  "method": "GET",
  "path": "/readyz",
  "servers": [
   "auth",
   "ingest",
   "ui"
  ],
  "token": null
 },
 "getVersion": {
  "method": "GET",
  "path": "/version",
  "servers": [
   "auth",
   "ingest",
   "ui"
  ],
  "token": null
 },
 "getMetrics": {
  "method": "GET",
  "path": "/metrics",
  "servers": [
   "auth",
   "ingest",
   "ui"
  ],
  "token": null
 },
 "getOpenApiDocument": {
  "method": "GET",
  "path": "/openapi.json",
  "servers": [
   "auth",
   "ingest",
   "ui"
  ],
  "token": null
 }
} as const

export const serverOfPathWithoutUser = {
 "/oauth/v2/authorize": "auth",
 "/oauth/v2/token": "auth",
 "/oauth/v2/revoke": "auth",
 "/oauth/v2/sign-out": "auth",
 "/oauth/v2/jwks": "auth",
 "/.well-known/oauth-authorization-server": "auth",
 "/v1/pairing-tokens/consume-token": "ui",
 "/v1/position-reports": "ingest",
 "/healthz": "ui",
 "/readyz": "ui",
 "/version": "ui",
 "/metrics": "ui",
 "/openapi.json": "ui"
} as const

export type OperationInPortions =
  | 'listDevices'
  | 'listRecentReports'
  | 'listSensorRequests'
  | 'listAirTracks'
  | 'listAirHistory'
  | 'listAirAlerts'
  | 'listAirSensors'
  | 'listAirAircraft'
  | 'listAirTracksAsGeoJson'
