/**
 * Short names for the generated types.
 * In: the generated types. Out: one alias per schema, and the operations by their operationId.
 */
import type { components, operations } from './generated/openapi-types.ts'

export type { components, operations, paths, webhooks } from './generated/openapi-types.ts'

type Schemas = components['schemas']

/** Every operation of the document: its parameters, request body and responses, by operationId. */
export type Operations = operations
export type OperationId = keyof Operations

/** Every schema of the document, by its name. */
export type SchemaName = keyof Schemas

export type AltitudeDatum = Schemas['AltitudeDatum']
export type AuthorizationCodeTokenRequest = Schemas['AuthorizationCodeTokenRequest']
export type AuthorizationServerMetadata = Schemas['AuthorizationServerMetadata']
export type Delivery = Schemas['Delivery']
export type DeliveryAttempt = Schemas['DeliveryAttempt']
export type DeliveryList = Schemas['DeliveryList']
export type Device = Schemas['Device']
export type DeviceHistory = Schemas['DeviceHistory']
export type DeviceList = Schemas['DeviceList']
export type DeviceRename = Schemas['DeviceRename']
export type DeviceTokenRequest = Schemas['DeviceTokenRequest']
export type GeographicPosition = Schemas['GeographicPosition']
export type GeographicVector = Schemas['GeographicVector']
export type Health = Schemas['Health']
export type Height = Schemas['Height']
export type Identifier = Schemas['Identifier']
export type IssuedToken = Schemas['IssuedToken']
export type Jwk = Schemas['Jwk']
export type JwkSet = Schemas['JwkSet']
export type LocalSensorId = Schemas['LocalSensorId']
export type NewSensor = Schemas['NewSensor']
export type OAuthError = Schemas['OAuthError']
export type PairingConsumer = Schemas['PairingConsumer']
export type PairingRequest = Schemas['PairingRequest']
export type PairingRequestCreation = Schemas['PairingRequestCreation']
export type PairingToken = Schemas['PairingToken']
export type PositionData = Schemas['PositionData']
export type PositionReport = Schemas['PositionReport']
export type PositionReportMetric = Schemas['PositionReportMetric']
export type Problem = Schemas['Problem']
export type ProblemError = Schemas['ProblemError']
export type Readiness = Schemas['Readiness']
export type RecentPositionReport = Schemas['RecentPositionReport']
export type RecentPositionReportList = Schemas['RecentPositionReportList']
export type RefusedReport = Schemas['RefusedReport']
export type RefreshTokenRequest = Schemas['RefreshTokenRequest']
export type RelayAddress = Schemas['RelayAddress']
export type RelayDetails = Schemas['RelayDetails']
export type RelayMessage = Schemas['RelayMessage']
export type RelayPositionReportMessage = Schemas['RelayPositionReportMessage']
export type RelayState = Schemas['RelayState']
export type RelayUpdate = Schemas['RelayUpdate']
export type RelayValidationMessage = Schemas['RelayValidationMessage']
export type ResentDeliveries = Schemas['ResentDeliveries']
export type RevocationRequest = Schemas['RevocationRequest']
export type SensorPosition = Schemas['SensorPosition']
export type SensorRequest = Schemas['SensorRequest']
export type SensorRequestCreation = Schemas['SensorRequestCreation']
export type SensorRequestList = Schemas['SensorRequestList']
export type SensorState = Schemas['SensorState']
export type SourceTimeStamp = Schemas['SourceTimeStamp']
export type Target = Schemas['Target']
export type TargetType = Schemas['TargetType']
export type Timestamp = Schemas['Timestamp']
export type TokenRequest = Schemas['TokenRequest']
export type TokenResponse = Schemas['TokenResponse']
export type Urn = Schemas['Urn']
export type Version = Schemas['Version']
