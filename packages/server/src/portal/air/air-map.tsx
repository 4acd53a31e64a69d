/**
 * The element in which the map of the air picture is drawn, by the scripts of `pages/map`.
 * In: where it is shown, and the operator's own map. Out: the element with the addresses of what the scripts load;
 * without a build, only what is inside it.
 */
import type { ComponentChildren } from 'preact'
import { mapFiles } from '../../pages/map-files.ts'
import { airBasemapPath, airPath, airStreamPath } from '../layout/paths.ts'

/** The operator's own map. */
export interface OwnMap {
  /** Address of raster tiles, with {z}, {x} and {y}. */
  tiles?: string | undefined
  /** GeoJSON that is drawn above the land. */
  basemap?: Buffer | undefined
  /** What their owners want to be said on the map. */
  notice?: string | undefined
}

export interface AirMapProps {
  kind: 'full' | 'compact'
  ownMap: OwnMap
  /** URN of a device: only targets that it contributes to. */
  device?: string
  children?: ComponentChildren
}

export function AirMap({ kind, ownMap: { tiles, basemap, notice }, device, children }: AirMapProps) {
  return (
    <div
      class={kind === 'full' ? 'air' : 'air-compact'}
      data-air-map={kind}
      data-stream={airStreamPath}
      data-feed={mapFiles?.feedPath}
      data-land={JSON.stringify(mapFiles?.land ?? {})}
      data-places={JSON.stringify(mapFiles?.places ?? {})}
      data-tiles={tiles}
      data-basemap={basemap && airBasemapPath}
      data-device={device}
    >
      <div class="air-view">{notice !== undefined && <p class="air-notice">{notice}</p>}</div>
      {children}
    </div>
  )
}

/** The map as a part of another page. */
export function CompactAirMap({ ownMap, device, title }: Pick<AirMapProps, 'ownMap' | 'device'> & { title: string }) {
  return (
    <section class="panel part" aria-labelledby="air-heading">
      <div class="split">
        <h2 id="air-heading">{title}</h2>
        <a class="button" href={device === undefined ? airPath : `${airPath}?${new URLSearchParams({ device })}`}>
          Open the air picture
        </a>
      </div>
      <AirMap kind="compact" ownMap={ownMap} {...(device !== undefined && { device })}>
        <p class="help air-caption">
          <span data-summary /> Not for navigation.
          {device !== undefined &&
            ' A position without an identifier counts as one of the target that it fits, so other sensors may have named it.'}
        </p>
        <p class="unseen" aria-live="polite" data-said />
      </AirMap>
    </section>
  )
}

/** The script of the map, for the head of the page. */
export function AirScript() {
  return mapFiles ? <script type="module" src={mapFiles.scriptPath} /> : null
}

export function toImageOrigin({ tiles }: OwnMap): string | undefined {
  return tiles === undefined ? undefined : new URL(tiles.replaceAll(/[{}]/g, '')).origin
}
