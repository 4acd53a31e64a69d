/** The bundled document as plain JSON, with functions to traverse it without its types. */
import { readFileSync } from 'node:fs'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export const document: Json = JSON.parse(
  readFileSync(new URL('../src/generated/openapi.json', import.meta.url), 'utf8'),
)

/** The node under these keys, or undefined. */
export function at(node: Json | undefined, ...keys: string[]): Json | undefined {
  return keys.reduce<Json | undefined>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Array.isArray(value) ? value[Number(key)] : value[key]
  }, node)
}

/** The members of an object or an array; empty for any other value. */
export function entries(node: Json | undefined): [string, Json][] {
  return typeof node === 'object' && node !== null ? Object.entries(node) : []
}
