/**
 * The document as types: one per schema, of the same name, and the operations by their operationId.
 * Validators, MSW handlers, fakes and the JSON document have separate entry points.
 */
import type { components, operations } from './generated/openapi-types.ts'

export type { components, operations, paths, webhooks } from './generated/openapi-types.ts'
export type * from './generated/schemas.ts'

/** Every operation of the document: its parameters, request body and responses, by operationId. */
export type Operations = operations
export type OperationId = keyof Operations

/** Every schema of the document, by its name. */
export type SchemaName = keyof components['schemas']
