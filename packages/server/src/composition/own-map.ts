/**
 * The operator's own map for the air picture, from the file of `--air-map`.
 * In: the file's name. Out: the address of tiles, the content of the GeoJSON file, checked, and the notice. A
 * SettingsError says what is wrong in the file.
 */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import * as v from 'valibot'
import { SettingsError } from '../errors.ts'
import type { OwnMap } from '../portal/air/air-map.tsx'
import { toSchemaProblem } from '../seed/schema-problem.ts'

const text = v.pipe(v.string(), v.nonEmpty('must be a text of at least one character'))

const mapFile = v.strictObject({
  tiles: v.optional(
    v.pipe(v.string(), v.check(isTiles, 'must be a URL such as "https://tiles.example.com/{z}/{x}/{y}.png"')),
  ),
  /** The name of a GeoJSON file, relative to the folder of the map file. */
  basemap: v.optional(text),
  notice: v.optional(text),
})

export async function readOwnMap(file: string | undefined): Promise<OwnMap> {
  if (file === undefined) return {}
  const { value } = await readJson(`--air-map "${file}"`, file)
  // The schema would accept an array as an object without members.
  if (Array.isArray(value)) throw new SettingsError(`--air-map "${file}" at the top: must be an object, not a list`)
  const result = v.safeParse(mapFile, value)
  if (!result.success) {
    const problem = toSchemaProblem(result.issues, () => Object.keys(mapFile.entries))
    throw new SettingsError(`--air-map "${file}" at ${problem}`)
  }
  const { tiles, basemap, notice } = result.output
  return { tiles, notice, basemap: basemap === undefined ? undefined : await readBasemap(file, basemap) }
}

async function readBasemap(file: string, basemap: string): Promise<Buffer> {
  const path = resolve(dirname(file), basemap)
  const { value, content } = await readJson(`"basemap" of --air-map, "${path}",`, path)
  if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string') return content
  throw new SettingsError(`"basemap" of --air-map, "${path}", must be GeoJSON: an object with a "type"`)
}

async function readJson(what: string, file: string): Promise<{ value: unknown; content: Buffer }> {
  try {
    const content = await readFile(file)
    return { value: JSON.parse(content.toString()), content }
  } catch (cause) {
    throw new SettingsError(`${what} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** The address of map tiles, with the places of zoom, column and row. */
function isTiles(text: string): boolean {
  const plain = text.replaceAll(/[{}]/g, '')
  const url = URL.canParse(plain) ? new URL(plain) : undefined
  const hasPlaces = ['{z}', '{x}', '{y}'].every((place) => text.includes(place))
  return hasPlaces && url !== undefined && /^https?:$/.test(url.protocol) && !url.host.includes('%')
}
