/** Ajv with the options of express-openapi-validator. */
import { Ajv2020 } from 'ajv/dist/2020.js'

/** `parseJson` has refused numbers that are not doubles. */
export const knownFormats = { double: true } as const

export function createAjv(): Ajv2020 {
  return new Ajv2020({
    strict: false,
    strictNumbers: true,
    strictTuples: true,
    validateSchema: false,
    useDefaults: true,
    formats: knownFormats,
    logger: {
      log() {},
      warn: refuseToCompile,
      error: refuseToCompile,
    },
  })
}

/** Ajv warns of a format that it does not know, and then accepts every text. */
function refuseToCompile(...reasons: unknown[]): never {
  throw new Error(`A schema of the document cannot be compiled: ${reasons.join(' ')}`)
}
