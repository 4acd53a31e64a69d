/**
 * Checks that both generators agree: for every schema, openapi-typescript's type, hey-api's type and the output type of hey-api's
 * validator are mutually assignable. A schema that is missing here does not compile.
 */
import type { InferOutput } from 'valibot'
import type * as heyApi from '../src/generated/hey-api/types.gen.ts'
import type { components, SchemaName } from '../src/index.ts'
import type * as validators from '../src/validators.ts'

interface Readings {
  AirAdvice: [heyApi.AirAdvice, InferOutput<typeof validators.vAirAdvice>]
  AirAlert: [heyApi.AirAlert, InferOutput<typeof validators.vAirAlert>]
  AirAlertList: [heyApi.AirAlertList, InferOutput<typeof validators.vAirAlertList>]
  AirAltitude: [heyApi.AirAltitude, InferOutput<typeof validators.vAirAltitude>]
  AirArea: [heyApi.AirArea, InferOutput<typeof validators.vAirArea>]
  AirAreaEntry: [heyApi.AirAreaEntry, InferOutput<typeof validators.vAirAreaEntry>]
  AirAreaGeometry: [heyApi.AirAreaGeometry, InferOutput<typeof validators.vAirAreaGeometry>]
  AirAreaList: [heyApi.AirAreaList, InferOutput<typeof validators.vAirAreaList>]
  AirAreaProperties: [heyApi.AirAreaProperties, InferOutput<typeof validators.vAirAreaProperties>]
  AirAreaTime: [heyApi.AirAreaTime, InferOutput<typeof validators.vAirAreaTime>]
  AirAssociation: [heyApi.AirAssociation, InferOutput<typeof validators.vAirAssociation>]
  AirConflict: [heyApi.AirConflict, InferOutput<typeof validators.vAirConflict>]
  AirConflictTrack: [heyApi.AirConflictTrack, InferOutput<typeof validators.vAirConflictTrack>]
  AirContribution: [heyApi.AirContribution, InferOutput<typeof validators.vAirContribution>]
  AirFrame: [heyApi.AirFrame, InferOutput<typeof validators.vAirFrame>]
  AirHistory: [heyApi.AirHistory, InferOutput<typeof validators.vAirHistory>]
  AirIdentityConflict: [heyApi.AirIdentityConflict, InferOutput<typeof validators.vAirIdentityConflict>]
  AirPath: [heyApi.AirPath, InferOutput<typeof validators.vAirPath>]
  AirSensor: [heyApi.AirSensor, InferOutput<typeof validators.vAirSensor>]
  AirSensorList: [heyApi.AirSensorList, InferOutput<typeof validators.vAirSensorList>]
  AirSeparation: [heyApi.AirSeparation, InferOutput<typeof validators.vAirSeparation>]
  AirSilentSensor: [heyApi.AirSilentSensor, InferOutput<typeof validators.vAirSilentSensor>]
  AirTrack: [heyApi.AirTrack, InferOutput<typeof validators.vAirTrack>]
  AirTrackCollection: [heyApi.AirTrackCollection, InferOutput<typeof validators.vAirTrackCollection>]
  AirTrackDetail: [heyApi.AirTrackDetail, InferOutput<typeof validators.vAirTrackDetail>]
  AirTrackFeature: [heyApi.AirTrackFeature, InferOutput<typeof validators.vAirTrackFeature>]
  AirTrackGeometry: [heyApi.AirTrackGeometry, InferOutput<typeof validators.vAirTrackGeometry>]
  AirTrackList: [heyApi.AirTrackList, InferOutput<typeof validators.vAirTrackList>]
  AirTrackPoint: [heyApi.AirTrackPoint, InferOutput<typeof validators.vAirTrackPoint>]
  AltitudeDatum: [heyApi.AltitudeDatum, InferOutput<typeof validators.vAltitudeDatum>]
  AuthorizationCodeTokenRequest: [
    heyApi.AuthorizationCodeTokenRequest,
    InferOutput<typeof validators.vAuthorizationCodeTokenRequest>,
  ]
  AuthorizationServerMetadata: [
    heyApi.AuthorizationServerMetadata,
    InferOutput<typeof validators.vAuthorizationServerMetadata>,
  ]
  Delivery: [heyApi.Delivery, InferOutput<typeof validators.vDelivery>]
  DeliveryAttempt: [heyApi.DeliveryAttempt, InferOutput<typeof validators.vDeliveryAttempt>]
  DeliveryList: [heyApi.DeliveryList, InferOutput<typeof validators.vDeliveryList>]
  Device: [heyApi.Device, InferOutput<typeof validators.vDevice>]
  DeliveryMetric: [heyApi.DeliveryMetric, InferOutput<typeof validators.vDeliveryMetric>]
  DeliverySummary: [heyApi.DeliverySummary, InferOutput<typeof validators.vDeliverySummary>]
  DeviceTags: [heyApi.DeviceTags, InferOutput<typeof validators.vDeviceTags>]
  DeviceHistory: [heyApi.DeviceHistory, InferOutput<typeof validators.vDeviceHistory>]
  DeviceList: [heyApi.DeviceList, InferOutput<typeof validators.vDeviceList>]
  DeviceChange: [heyApi.DeviceChange, InferOutput<typeof validators.vDeviceChange>]
  DeviceTokenRequest: [heyApi.DeviceTokenRequest, InferOutput<typeof validators.vDeviceTokenRequest>]
  GeographicPosition: [heyApi.GeographicPosition, InferOutput<typeof validators.vGeographicPosition>]
  GeographicVector: [heyApi.GeographicVector, InferOutput<typeof validators.vGeographicVector>]
  Health: [heyApi.Health, InferOutput<typeof validators.vHealth>]
  Height: [heyApi.Height, InferOutput<typeof validators.vHeight>]
  Identifier: [heyApi.Identifier, InferOutput<typeof validators.vIdentifier>]
  IssuedToken: [heyApi.IssuedToken, InferOutput<typeof validators.vIssuedToken>]
  Jwk: [heyApi.Jwk, InferOutput<typeof validators.vJwk>]
  JwkSet: [heyApi.JwkSet, InferOutput<typeof validators.vJwkSet>]
  LocalSensorId: [heyApi.LocalSensorId, InferOutput<typeof validators.vLocalSensorId>]
  NewSensor: [heyApi.NewSensor, InferOutput<typeof validators.vNewSensor>]
  OAuthError: [heyApi.OAuthError, InferOutput<typeof validators.vOAuthError>]
  PairingConsumer: [heyApi.PairingConsumer, InferOutput<typeof validators.vPairingConsumer>]
  PairingRequest: [heyApi.PairingRequest, InferOutput<typeof validators.vPairingRequest>]
  PairingRequestCreation: [heyApi.PairingRequestCreation, InferOutput<typeof validators.vPairingRequestCreation>]
  PairingToken: [heyApi.PairingToken, InferOutput<typeof validators.vPairingToken>]
  PositionData: [heyApi.PositionData, InferOutput<typeof validators.vPositionData>]
  PositionReport: [heyApi.PositionReport, InferOutput<typeof validators.vPositionReport>]
  PositionReportMetric: [heyApi.PositionReportMetric, InferOutput<typeof validators.vPositionReportMetric>]
  Problem: [heyApi.Problem, InferOutput<typeof validators.vProblem>]
  ProblemError: [heyApi.ProblemError, InferOutput<typeof validators.vProblemError>]
  Readiness: [heyApi.Readiness, InferOutput<typeof validators.vReadiness>]
  ReadsbAircraft: [heyApi.ReadsbAircraft, InferOutput<typeof validators.vReadsbAircraft>]
  ReadsbAircraftList: [heyApi.ReadsbAircraftList, InferOutput<typeof validators.vReadsbAircraftList>]
  RecentPositionReport: [heyApi.RecentPositionReport, InferOutput<typeof validators.vRecentPositionReport>]
  RecentPositionReportList: [heyApi.RecentPositionReportList, InferOutput<typeof validators.vRecentPositionReportList>]
  RefreshTokenRequest: [heyApi.RefreshTokenRequest, InferOutput<typeof validators.vRefreshTokenRequest>]
  RefusedReport: [heyApi.RefusedReport, InferOutput<typeof validators.vRefusedReport>]
  RelayAddress: [heyApi.RelayAddress, InferOutput<typeof validators.vRelayAddress>]
  RelayDetails: [heyApi.RelayDetails, InferOutput<typeof validators.vRelayDetails>]
  RelayMessage: [heyApi.RelayMessage, InferOutput<typeof validators.vRelayMessage>]
  RelayPositionReportMessage: [
    heyApi.RelayPositionReportMessage,
    InferOutput<typeof validators.vRelayPositionReportMessage>,
  ]
  RelayState: [heyApi.RelayState, InferOutput<typeof validators.vRelayState>]
  RelayUpdate: [heyApi.RelayUpdate, InferOutput<typeof validators.vRelayUpdate>]
  RelayValidationMessage: [heyApi.RelayValidationMessage, InferOutput<typeof validators.vRelayValidationMessage>]
  ResentDeliveries: [heyApi.ResentDeliveries, InferOutput<typeof validators.vResentDeliveries>]
  RetryingRelay: [heyApi.RetryingRelay, InferOutput<typeof validators.vRetryingRelay>]
  RevocationRequest: [heyApi.RevocationRequest, InferOutput<typeof validators.vRevocationRequest>]
  SensorPosition: [heyApi.SensorPosition, InferOutput<typeof validators.vSensorPosition>]
  SensorRequest: [heyApi.SensorRequest, InferOutput<typeof validators.vSensorRequest>]
  SensorRequestCreation: [heyApi.SensorRequestCreation, InferOutput<typeof validators.vSensorRequestCreation>]
  SensorRequestList: [heyApi.SensorRequestList, InferOutput<typeof validators.vSensorRequestList>]
  SensorState: [heyApi.SensorState, InferOutput<typeof validators.vSensorState>]
  SourceTimeStamp: [heyApi.SourceTimeStamp, InferOutput<typeof validators.vSourceTimeStamp>]
  Target: [heyApi.Target, InferOutput<typeof validators.vTarget>]
  TargetType: [heyApi.TargetType, InferOutput<typeof validators.vTargetType>]
  Timestamp: [heyApi.Timestamp, InferOutput<typeof validators.vTimestamp>]
  TokenRequest: [heyApi.TokenRequest, InferOutput<typeof validators.vTokenRequest>]
  TokenResponse: [heyApi.TokenResponse, InferOutput<typeof validators.vTokenResponse>]
  Urn: [heyApi.Urn, InferOutput<typeof validators.vUrn>]
  Version: [heyApi.Version, InferOutput<typeof validators.vVersion>]
}

type Same<A, B> = [A, B] extends [B, A] ? true : false

type Agreement = {
  [Name in SchemaName]: Name extends keyof Readings
    ? [Same<components['schemas'][Name], Readings[Name][0]>, Same<components['schemas'][Name], Readings[Name][1]>]
    : 'is missing in Readings'
}

/** Every schema whose result is not [true, true]. */
type Disagreements = { [Name in SchemaName as Agreement[Name] extends [true, true] ? never : Name]: Agreement[Name] }

export const agreed: Same<keyof Disagreements, never> = true

/** Readings has no schema that does not exist. */
export const noneTooMany: Same<Exclude<keyof Readings, SchemaName>, never> = true

// @ts-expect-error a required member that is missing in one type is detected
export const lessIsSeen: Same<{ id: string }, object> = true

// @ts-expect-error a literal that is wider in one type is detected
export const widerIsSeen: Same<{ datum: 'msl' }, { datum: string }> = true

// @ts-expect-error a member that is optional in one type is detected
export const laxerIsSeen: Same<{ id: string }, { id?: string }> = true
