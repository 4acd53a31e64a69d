/** The operator's own map for the air picture. In: settings. Out: the tiles' address, the GeoJSON file's content, checked, and the notice. */
import { readFile } from 'node:fs/promises'
import { SettingsError } from '../errors.ts'
import type { OwnMap } from '../portal/air/air-map.tsx'
import type { Settings } from '../settings/setting-table.ts'

export async function readOwnMap({
  airTiles,
  airBasemap,
  airNotice,
}: Pick<Settings, 'airTiles' | 'airBasemap' | 'airNotice'>): Promise<OwnMap> {
  const basemap = airBasemap === undefined ? undefined : await readGeoJson(airBasemap)
  return { tiles: airTiles, basemap, notice: airNotice }
}

async function readGeoJson(file: string): Promise<Buffer> {
  try {
    const content = await readFile(file)
    const { type } = JSON.parse(content.toString()) ?? {}
    if (typeof type === 'string') return content
  } catch (cause) {
    throw new SettingsError(
      `--air-basemap "${file}" cannot be read: ${cause instanceof Error ? cause.message : cause}`,
      {
        cause,
      },
    )
  }
  throw new SettingsError(`--air-basemap "${file}" must be GeoJSON: an object with a "type"`)
}
