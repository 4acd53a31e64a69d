/** The areas that the air picture of an account watches. They stay until they are set again. */
import type { AirAreaList } from '@posrep/spec'
import type { Directory } from '../ports/storage/directory.ts'
import type { AirInbox } from './log/air-inbox.ts'

export interface AirAreas {
  /** No areas if none were set. */
  get(accountId: string): Promise<AirAreaList>
  /** Replaces all areas. The picture follows within seconds. */
  set(accountId: string, areas: AirAreaList): Promise<void>
}

export interface AirAreasOptions {
  directory: Directory
  inbox: Pick<AirInbox, 'appendAreas'>
}

export function createAirAreas({ directory, inbox }: AirAreasOptions): AirAreas {
  return {
    async get(accountId) {
      const record = await directory.find('airAreas', accountId)
      return record?.areas ?? { type: 'FeatureCollection', features: [] }
    },
    async set(accountId, areas) {
      const record = { id: accountId, areas }
      for (;;) {
        if (await directory.update('airAreas', accountId, () => record)) break
        if (await directory.insert('airAreas', record)) break
      }
      await inbox.appendAreas(accountId)
    },
  }
}
