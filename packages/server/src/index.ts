export { createSystemClock } from './adapters/system-clock.ts'
export type { CreateIdentityOptions, EmbeddedIdentity } from './create-identity.ts'
export { createIdentity } from './create-identity.ts'
export type { ApiErrorCode, ErrorPlace } from './errors.ts'
export { ApiError, SettingsError } from './errors.ts'
export type { Origins } from './http/document.ts'
export type { ReportSummary } from './pipeline/report-summary.ts'
export type { PipelineReport, Stage } from './pipeline/stage.ts'
export type {
  IdentifierKind,
  Provenance,
  StandardAltitude,
  StandardIdentifier,
  StandardPosition,
  StandardTarget,
  StandardVelocity,
} from './pipeline/standard-position.ts'
export type { Clock } from './ports/clock.ts'
export type { Account, Client, Consent, DeviceRecord, SensorRequest, SigningKey, User } from './ports/directory.ts'
export type { Logger } from './ports/logger.ts'
export type { Seed } from './seed-file.ts'
export type { RunningServer, ServerOptions } from './server.ts'
export { startServer } from './server.ts'
export type { Settings } from './setting-table.ts'
export type { GivenSettings, SettingSources } from './settings.ts'
export { resolveSettings } from './settings.ts'
