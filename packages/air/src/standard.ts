/** Positions in one set of units and notations. */

export { toEpochMs } from './standard/epoch-ms.ts'
export type {
  IdentifierKind,
  Provenance,
  StandardAltitude,
  StandardIdentifier,
  StandardPosition,
  StandardTarget,
  StandardVelocity,
} from './standard/standard-position.ts'
export { standardise } from './standard/standardise.ts'
