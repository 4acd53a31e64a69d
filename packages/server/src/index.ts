export type {
  IdentifierKind,
  Provenance,
  StandardAltitude,
  StandardIdentifier,
  StandardPosition,
  StandardTarget,
  StandardVelocity,
} from '@posrep/air/standard'
export { createSystemClock } from './adapters/system-clock.ts'
export type { CreateIdentityOptions, EmbeddedIdentity } from './composition/create-identity.ts'
export { createIdentity } from './composition/create-identity.ts'
export type { RunningServer, ServerOptions } from './composition/server.ts'
export { startServer } from './composition/server.ts'
export { openStorage } from './composition/storage/storage.ts'
export type { OpenStorageOptions, Storage } from './composition/storage/storage-ports.ts'
export type { ApiErrorCode, FieldError } from './errors.ts'
export { ApiError, SettingsError } from './errors.ts'
export type { Origins } from './http/operation/openapi-document.ts'
export type { PipelineReport, Stage } from './pipeline/stage.ts'
export type { Clock } from './ports/clock.ts'
export type { Logger } from './ports/logger.ts'
export type { ReportSummary } from './ports/report-summary.ts'
export type {
  Account,
  Client,
  Consent,
  DeviceRecord,
  SensorRequest,
  SigningKey,
  User,
} from './ports/storage/directory.ts'
export type { EntryText } from './ports/storage/entry-text.ts'
export type { Seed } from './seed/seed-file.ts'
export type { GivenSettings, SettingSources } from './settings/resolve-settings.ts'
export { resolveSettings } from './settings/resolve-settings.ts'
export type { Settings } from './settings/setting-table.ts'
