/**
 * Checks that both generators agree: for every schema, openapi-typescript's type and the output type of hey-api's
 * validator are mutually assignable.
 */
import type { GenericSchema, InferOutput } from 'valibot'
import type { components, SchemaName } from '../src/index.ts'
import type * as validators from '../src/validators.ts'

type Validators = typeof validators

type Same<A, B> = [A, B] extends [B, A] ? true : false

type Agreement = {
  [Name in SchemaName]: `v${Name}` extends keyof Validators
    ? Validators[`v${Name}`] extends GenericSchema
      ? Same<components['schemas'][Name], InferOutput<Validators[`v${Name}`]>>
      : 'is no validator'
    : 'has no validator'
}

/** Every schema whose result is not true. */
type Disagreements = { [Name in SchemaName as Agreement[Name] extends true ? never : Name]: Agreement[Name] }

export const agreed: Same<keyof Disagreements, never> = true

// @ts-expect-error a required member that is missing in one type is detected
export const lessIsSeen: Same<{ id: string }, object> = true

// @ts-expect-error a literal that is wider in one type is detected
export const widerIsSeen: Same<{ datum: 'msl' }, { datum: string }> = true

// @ts-expect-error a member that is optional in one type is detected
export const laxerIsSeen: Same<{ id: string }, { id?: string }> = true
