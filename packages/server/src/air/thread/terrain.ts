/**
 * The integrator's terrain function, from the module that `startServer` got.
 * In: the URL of a module whose default export is a function of latitude and longitude in degrees. Out: that function.
 */

import type { Terrain } from '@posrep/air'
import { SettingsError } from '../../errors.ts'

const expected = 'a function (latDegrees, lonDegrees) => metres, or undefined where the height is not known'

/** @throws SettingsError when the module cannot be imported or its default export is no such function. */
export async function importTerrain(url: URL): Promise<Terrain> {
  const { default: terrain } = await importModule(url)
  if (typeof terrain !== 'function') {
    throw new SettingsError(`The default export of "terrain" must be ${expected}, got ${typeof terrain} from ${url}`)
  }
  const metres = tryAt(terrain as Terrain, url)
  if (metres !== undefined && typeof metres !== 'number') {
    throw new SettingsError(
      `The default export of "terrain" must return a number or undefined, not a promise; got ${typeof metres} from ${url}`,
    )
  }
  return terrain as Terrain
}

/** A terrain that throws leaves the height out; `onFailed` is called the first time. */
export function guardTerrain(terrain: Terrain, onFailed: (error: unknown) => void): Terrain {
  let hasFailed = false
  return (latDegrees, lonDegrees) => {
    try {
      return terrain(latDegrees, lonDegrees)
    } catch (error) {
      if (!hasFailed) onFailed(error)
      hasFailed = true
      return undefined
    }
  }
}

async function importModule(url: URL): Promise<{ default?: unknown }> {
  try {
    return await import(url.href)
  } catch (cause) {
    throw new SettingsError(`"terrain" ${url} cannot be imported: ${toReason(cause)}`, { cause })
  }
}

function tryAt(terrain: Terrain, url: URL): unknown {
  try {
    return terrain(0, 0)
  } catch (cause) {
    throw new SettingsError(`The default export of "terrain" throws at 0°, 0°: ${toReason(cause)}, in ${url}`, {
      cause,
    })
  }
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
