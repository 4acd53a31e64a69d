/** What a map is mounted with, and what controls of a page do with it. */
import type { AirAlert, AirHistory, AirTrackDetail } from '@posrep/spec'
import type { MapChoices } from './draw/map.ts'
import type { Follow } from './feed/follow-frames.ts'
import type { Filter } from './model/filter.ts'
import type { Picture } from './model/picture.ts'
import type { Target } from './model/target.ts'
import type { Margins } from './model/view.ts'

export interface AirMapOptions {
  /**
   * Gives the frames of the picture: `(options) => followAir(client, options)` of @posrep/client-sdk, or frames of your
   * own tracker. It ends when the signal aborts, and calls `onInterrupted` when the connection is lost.
   */
  follow: Follow
  /** Called when `follow` ended by itself, or failed. Default: an error is printed to the console. */
  onEnded?(error: unknown): void
  /**
   * Reads where targets were before the page was open, such as `listAirHistory` of the SDK. Default: trails begin
   * empty.
   */
  readHistory?(query: { bbox?: string; seconds: number; signal: AbortSignal }): Promise<AirHistory | undefined>
  /** Addresses of the files of `@posrep/air/land`, by resolution: `110m`, `50m`, `10m`. Default: no land is drawn. */
  land?: Partial<Record<'110m' | '50m' | '10m', string>>
  /**
   * Addresses of the files of `@posrep/air/places`: `large` (places of 150,000 people and more), `small`, `airports`.
   * GeoNames, of which the first two are, asks to be named. Not drawn on tiles. Default: no places are drawn.
   */
  places?: Partial<Record<'large' | 'small' | 'airports', string>>
  /** Address of a GeoJSON file that is drawn above the land. */
  basemap?: string | undefined
  /** Address of raster tiles, with {z}, {x} and {y}, below everything else. */
  tiles?: string | undefined
  /** Only this sensor, and the targets that it contributes to. Default: all. */
  device?: string | undefined
  /** The map is a part of a page that scrolls: the wheel zooms only with Ctrl, one finger scrolls. Default: false. */
  isCompact?: boolean
  /**
   * What assistive technology says of the map after what its keys do, such as where a table has the same. Default:
   * nothing.
   */
  description?: string
  /** Pixels at the edges of the element that panels of the page cover. Default: none. */
  covered?(): Margins
}

/** `partly`: there are more targets than an answer has. */
export type HistoryState = 'reading' | 'read' | 'partly' | 'failed'

export type AirMapEvent = 'frame' | 'selected' | 'followed' | 'filtered' | 'replay' | 'history' | 'link'

export interface AirMap {
  readonly picture: Picture
  /** Units, layers, selection and time. Change them with `choose`, `select` and `showAt`. */
  readonly choices: Readonly<MapChoices>
  /** `lost` since the connection broke; undefined before the first frame. */
  readonly link: 'live' | 'lost' | undefined
  /** Of what was before the page was open; undefined before it is read first. */
  readonly history: HistoryState | undefined
  readonly filter: Filter
  /** The map keeps the selected target in the middle. */
  readonly isFollowing: boolean
  /** The time of the picture's server, in ms since the epoch. */
  nowMs(): number
  /** Those of the time that the map shows; all, and those of them that pass the filter. */
  targets(): { all: Target[]; wanted: Target[] }
  select(id: string | undefined): void
  /** Centres the map on the selected target; if `keeps`, also from now on. */
  follow(keeps: boolean): void
  setFilter(filter: Filter): void
  choose(choices: Partial<Omit<MapChoices, 'selectedId' | 'hovered' | 'replayMs'>>): void
  /** Shows an earlier time, in ms since the epoch; undefined: now. */
  showAt(replayMs: number | undefined): void
  /** The earliest time that can be shown. */
  beganAtMs(): number
  fitAll(): void
  /** Selects the first target of an alert, and shows all of them. */
  showAlert(alert: AirAlert): void
  zoomBy(factor: number): void
  /** A bar of a round length, for a scale. */
  scale(): { pixels: number; text: string }
  /** Adds where a target was. */
  addHistory(detail: AirTrackDetail): void
  /** Something around the map has changed that `covered` tells. */
  redraw(): void
  focus(): void
  /** Returns a function that ends it. */
  on(event: AirMapEvent, listener: () => void): () => void
  /** Ends `follow`, timers and listeners, and removes the canvas. */
  stop(): void
}
