/**
 * The map of the air picture, which has one target for what all sensors of the account report of an aircraft.
 * In: the chosen device. Out: the targets that it contributes to, while this part of the page is open.
 */
import land from '@posrep/air/land/land-110m.bin?url'
import { type AirMap, mountAirMap } from '@posrep/air/map'
import type { Device, Posrep } from '@posrep/client-sdk'
import { createAir, followAir } from '@posrep/client-sdk/air'
import { element } from './page.ts'

export function showMap(posrep: Posrep, { deviceId }: Device, signal: AbortSignal): void {
  const part = element('air')
  const air = createAir(posrep)
  let map: AirMap | undefined

  /** A closed map needs no stream: browsers have few connections for one origin. */
  function update(): void {
    const isShown = part.hasAttribute('open') && !signal.aborted
    if (!isShown) {
      map?.stop()
      map = undefined
    } else if (!map) {
      map = mountAirMap(element('map'), {
        follow: (options) => followAir(posrep, options),
        readHistory: (query) => air.listAirHistory(query),
        land: { '110m': land },
        device: deviceId,
        onEnded: (error) => {
          element('problem').textContent = `The map does not follow the air picture any more. ${error ?? ''}`
        },
      })
    }
  }
  part.addEventListener('toggle', update, { signal })
  signal.addEventListener('abort', update)
  update()
}
