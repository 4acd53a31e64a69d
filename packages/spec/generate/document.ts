/** The parts of the bundled document that are changed for hey-api. */
export interface Document {
  components: { schemas: Record<string, Schema>; parameters: Record<string, unknown> }
  paths: Record<string, Record<string, unknown>>
}

export interface Schema {
  $ref?: string
  type?: unknown
  format?: string
  example?: unknown
  discriminator?: { mapping: Record<string, string> }
  'x-variant-member'?: true
}

export interface Response {
  content?: Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> }>
}
