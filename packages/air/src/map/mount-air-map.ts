/**
 * The map of an air picture in a page.
 * In: an element, and frames of a picture. Out: a canvas in the element that shows it, and what controls of the page
 * need: the targets, the selection, filters, layers and the time that is shown. It uses the browser's frames and timers
 * until it is stopped.
 */
import type { AirSensor } from '@posrep/spec'
import type { AirMap, AirMapEvent, AirMapOptions, HistoryState } from './air-map.ts'
import { addCanvas } from './canvas.ts'
import { type LoadedGround, loadGround } from './draw/ground/load-ground.ts'
import { drawMap, type MapChoices } from './draw/map.ts'
import { followFrames } from './feed/follow-frames.ts'
import type { PackedFrame } from './feed/packed-frame.ts'
import { readHistory, toPastPoint } from './history.ts'
import { toAlertBox } from './model/alert-box.ts'
import { everything, isWanted } from './model/filter.ts'
import { toFirstBox } from './model/first-view.ts'
import { createPicture, trackIdsOf } from './model/picture.ts'
import { toScaleBar } from './model/scale-bar.ts'
import { timeOf } from './model/trail.ts'
import { centreOn, fit, type Margins, zoomOn } from './model/view.ts'
import { steer } from './steer.ts'

/** Between what the map is moved to and its edges, or panels. */
const edge = 40
const maxLabels = { full: 220, compact: 60 }
/** To listeners, which take longer than the map. */
const tellReplayEveryMs = 500

/**
 * The element must have a size. Colours are the CSS variables `--map-…`; what is not set is light or dark as the
 * browser prefers.
 *
 * @example
 * ```ts
 * import { type Follow, mountAirMap } from '@posrep/air/map'
 *
 * // `follow` is for example followAir() of `@posrep/client-sdk/air`.
 * export const show = (element: HTMLElement, follow: Follow) =>
 *   mountAirMap(element, { follow, land: { '110m': '/land/110m.json' } })
 * ```
 */
export function mountAirMap(element: HTMLElement, options: AirMapOptions): AirMap {
  const { device, isCompact = false, covered = () => ({ top: 0, right: 0, bottom: 0, left: 0 }) } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const canvas = addCanvas(element, options.description ?? '', signal)
  const picture = createPicture()
  const listeners = new Map<AirMapEvent, Set<() => void>>()
  const choices: MapChoices = {
    units: 'metric',
    selectedId: undefined,
    hovered: undefined,
    hasTrails: true,
    hasLabels: true,
    hasVectors: true,
    // Those of several sensors hide what is flying.
    hasRings: false,
    hasAreas: true,
    replayMs: undefined,
  }
  const state = {
    link: undefined as AirMap['link'],
    history: undefined as HistoryState | undefined,
    filter: { ...everything, device },
    isFollowing: false,
  }
  /** The user moved the map; from then on it does not move by itself. */
  let isMovedByUser = false
  let aheadMs = Number.NaN
  let replayToldAt = -Infinity
  /** What the ground shows of them; their rates change with each frame. */
  let drawnSensors = ''
  const ground: LoadedGround = { land: [], basemap: [], places: [], tiles: undefined }

  const nowMs = () => (Number.isNaN(aheadMs) ? Date.now() : performance.now() + aheadMs)
  const isShown = ({ deviceId }: AirSensor) => device === undefined || deviceId === device
  const drawn = drawMap({
    canvas,
    picture,
    choices,
    nowMs,
    sensors: () => [...picture.sensors.values()].filter(isShown),
    ringedSensor: () => state.filter.device,
    ground,
    maxLabels: isCompact ? maxLabels.compact : maxLabels.full,
    hasConflictTexts: !isCompact,
    covered,
    signal,
  })
  const selected = () => (choices.selectedId === undefined ? undefined : picture.find(choices.selectedId))
  const needGround = loadGround(options, {
    ground,
    signal,
    scale: () => drawn.view().scale,
    onChange: () => drawn.redraw('ground'),
  })

  function tell(event: AirMapEvent): void {
    for (const listener of listeners.get(event) ?? []) listener()
  }

  function margins(): Margins {
    const { top, right, bottom, left } = covered()
    return { top: top + edge, right: right + edge, bottom: bottom + edge, left: left + edge }
  }

  function applyFilter(): void {
    for (const targets of [picture.targets.values(), picture.ended]) {
      for (const target of targets) target.isWanted = isWanted(target, state.filter)
    }
  }

  function stopFollowing(): void {
    if (!state.isFollowing) return
    state.isFollowing = false
    tell('followed')
  }

  /** Moves the map because the user wants it. */
  function moveTo(view: Parameters<typeof drawn.setView>[0]): void {
    isMovedByUser = true
    drawn.setView(view)
  }

  function fitTargets(): void {
    stopFollowing()
    const box = toFirstBox(picture, state.filter.device)
    if (box) drawn.setView(fit(drawn.view(), box, margins()))
    needGround()
  }

  function setLink(link: 'live' | 'lost'): void {
    if (link === state.link) return
    state.link = link
    tell('link')
  }

  function apply(frame: PackedFrame): void {
    const isFirst = Number.isNaN(picture.timeMs)
    const offset = frame.timeMs - performance.now()
    // The frame that was least delayed says it best; the slow decrease follows clocks that drift.
    aheadMs = Number.isNaN(aheadMs) ? offset : Math.max(aheadMs - 20, offset)
    picture.apply(frame, nowMs())
    applyFilter()
    drawn.place()
    if (isFirst || (!isMovedByUser && frame.full)) fitTargets()
    const sensors = JSON.stringify(
      [...picture.sensors.values()].map(({ deviceId, state, position }) => [deviceId, state, position]),
    )
    drawn.redraw(sensors !== drawnSensors || frame.areas ? 'ground' : 'all')
    drawnSensors = sensors
    tell('frame')
    setLink('live')
  }

  const map: AirMap = {
    picture,
    choices,
    get link() {
      return state.link
    },
    get history() {
      return state.history
    },
    get filter() {
      return state.filter
    },
    get isFollowing() {
      return state.isFollowing
    },
    nowMs,
    targets() {
      const all = picture.visibleAt(choices.replayMs === undefined ? 'now' : 'replay')
      return { all, wanted: all.filter(({ isWanted }) => isWanted) }
    },
    select(id) {
      if (id !== choices.selectedId) stopFollowing()
      choices.selectedId = id
      drawn.redraw()
      tell('selected')
    },
    follow(keeps) {
      state.isFollowing = keeps
      const target = selected()
      if (target) moveTo(centreOn(drawn.view(), target.shownX, target.shownY, margins()))
      else isMovedByUser = true
      tell('followed')
    },
    setFilter(filter) {
      state.filter = { ...filter, device: filter.device ?? device }
      applyFilter()
      drawn.redraw('ground')
      tell('filtered')
    },
    choose(given) {
      Object.assign(choices, given)
      drawn.redraw('ground')
    },
    showAt(replayMs) {
      const wasLive = choices.replayMs === undefined
      choices.replayMs = replayMs
      drawn.redraw()
      if (wasLive === (replayMs === undefined) && performance.now() - replayToldAt < tellReplayEveryMs) return
      replayToldAt = performance.now()
      // What is counted there is of this time.
      drawn.place()
      tell('replay')
    },
    beganAtMs() {
      let earliest = nowMs()
      for (const targets of [picture.targets.values(), picture.ended]) {
        for (const { trail } of targets) if (trail.length > 0) earliest = Math.min(earliest, timeOf(trail, 0))
      }
      return earliest
    },
    fitAll() {
      isMovedByUser = false
      fitTargets()
    },
    showAlert(alert) {
      const targets = trackIdsOf(alert).flatMap((id) => picture.find(id) ?? [])
      const [first] = targets
      if (!first) return
      map.select(first.id)
      stopFollowing()
      moveTo(fit(drawn.view(), toAlertBox(alert, targets, first.shownX), margins(), 0.05))
    },
    zoomBy: (factor) => moveTo(zoomOn(drawn.view(), factor, selected())),
    scale: () => toScaleBar(drawn.view(), choices.units),
    addHistory({ track, history }) {
      picture.addHistory(track.id, history.map(toPastPoint))
      drawn.redraw()
    },
    redraw: () => drawn.redraw(),
    focus: () => canvas.focus(),
    on(event, listener) {
      const known = listeners.get(event) ?? new Set()
      listeners.set(event, known.add(listener))
      return () => void known.delete(listener)
    },
    stop: () => stopping.abort(),
  }

  steer({ canvas, map, drawn, choices, margins, isCompact, signal, moveTo, fitTargets, stopFollowing })
  if (options.readHistory) {
    readHistory({
      map,
      drawn,
      read: options.readHistory,
      signal,
      onState(history) {
        state.history = history
        tell('history')
      },
      onPaths() {
        applyFilter()
        drawn.redraw()
      },
    })
  }
  const { onEnded = (error) => error !== undefined && console.error(error) } = options
  void followFrames(options.follow, { signal, onFrame: apply, onInterrupted: () => setLink('lost'), onEnded })
  return map
}
