/**
 * The map on its canvas.
 * In: the picture, and what the user chose. Out: frames, only while something on the map changes: a target that moves
 * by less than a tenth of a pixel is drawn when it has moved further.
 */
import type { AirSensor } from '@posrep/spec'
import { toActiveIds } from '../model/areas.ts'
import type { Box } from '../model/labels/box.ts'
import { placeLive, placePast } from '../model/motion.ts'
import type { Picture } from '../model/picture.ts'
import type { Target } from '../model/target.ts'
import { type Margins, toFree, toView, type View } from '../model/view.ts'
import type { Units } from '../model/words.ts'
import { drawConflicts, placeConflicts } from './conflicts.ts'
import { createFrames } from './frames.ts'
import { drawGround, type Ground } from './ground/ground.ts'
import { createPlaceNames } from './ground/place-names.ts'
import type { PlaceGroup } from './ground/places.ts'
import { createLabelPictures } from './label-pictures.ts'
import { covers, createLayer, isFor, show } from './layer.ts'
import { drawNotice, noticeBox } from './not-for-navigation.ts'
import { sensorBoxes } from './sensors.ts'
import { createSymbols } from './symbols.ts'
import {
  type DrawTargets,
  drawTargets,
  findByLabel,
  labelBoxes,
  layOutLabels,
  maxSmooth,
  placeOnMap,
  setPixels,
} from './targets.ts'
import { readTheme } from './theme.ts'
import { createTrails } from './trails.ts'

export interface MapChoices {
  units: Units
  selectedId: string | undefined
  hovered: Target | undefined
  hasTrails: boolean
  hasLabels: boolean
  hasVectors: boolean
  /** Of all sensors; otherwise the sensor of the filter has them. */
  hasRings: boolean
  hasAreas: boolean
  /** The time of the replay; undefined: now. */
  replayMs: number | undefined
}

export interface DrawnMap {
  view(): View
  /** Shows this view from the next frame on. */
  setView(view: View): void
  /** Sets where each target is shown now, or at the time of the replay; done before each frame. */
  place(): void
  /** Something else than the view changed. `ground`: also what seldom changes. */
  redraw(what?: 'all' | 'ground'): void
  /** The nearest target within reach, or the one whose label is there. */
  find(px: number, py: number, reach: number): Target | undefined
  /** Called before each frame: may move the view. */
  beforeFrame: (() => void) | undefined
}

export interface MapOptions {
  canvas: HTMLCanvasElement
  picture: Picture
  choices: MapChoices
  /** The server's time. */
  nowMs(): number
  /** Those that are drawn. */
  sensors(): AirSensor[]
  /** The sensor that has range rings, although the others have none. */
  ringedSensor(): string | undefined
  ground: Pick<Ground, 'land' | 'basemap' | 'tiles'> & { places: readonly PlaceGroup[] }
  maxLabels: number
  /** Whether conflicts have texts beside their lines. */
  hasConflictTexts: boolean
  /** Pixels at the edges of the map that panels cover. */
  covered(): Margins
  /** Ends the drawing. */
  signal: AbortSignal
}

/** What is not as in the frame before. */
interface Change {
  isMoving: boolean
  isNewGround: boolean
}

const leastMove = 0.1
/** A map that was moved less than this ago is still being moved: what takes long waits. */
const restMs = 140
/** With more targets than this on the map, vectors wait as well. */
const maxVectorsInMotion = 600
const labelsEveryMs = 250
/** Between two looks at which areas are active, in time of the picture. */
const areasEveryMs = 1_000
const trailBudgetMs = { atRest: 3, moving: 0.7 }

export function drawMap({
  canvas,
  picture,
  choices,
  nowMs,
  sensors,
  ringedSensor,
  ground,
  maxLabels,
  hasConflictTexts,
  covered,
  signal,
}: MapOptions): DrawnMap {
  const found = canvas.getContext('2d', { alpha: false })
  if (!found) throw new Error('This browser has no canvas')
  const context = found
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const groundLayer = createLayer(true)
  const placeNames = createPlaceNames()
  const trails = createTrails()
  const onMap: Target[] = []
  /** Where the texts on the ground are that stay there. */
  let groundTexts: Box[] = []
  let ratio = 1
  let theme = readTheme(canvas)
  let symbols = createSymbols(theme, ratio)
  let labels = createLabelPictures(theme, ratio)
  let view: View = toView({ x: 0.5, y: 0.4, scale: 400, width: 1, height: 1 })
  let [isDirty, isGroundStale] = [true, true]
  let [movedAt, labelsAt] = [-Infinity, -Infinity]
  let [areasAtMs, activeAreas] = [-Infinity, '']
  /** Where texts may be; undefined when it has to be looked up again. */
  let free: Box | undefined

  function restyle(): void {
    theme = readTheme(canvas)
    symbols = createSymbols(theme, ratio)
    labels = createLabelPictures(theme, ratio)
    for (const target of picture.targets.values()) target.labelSide = -1
    trails.restart()
    map.redraw('ground')
  }

  function resize(): void {
    const { clientWidth: width, clientHeight: height } = canvas
    const nextRatio = Math.min(2, devicePixelRatio)
    if (width === 0 || (width === view.width && height === view.height && nextRatio === ratio)) return
    canvas.width = Math.round(width * nextRatio)
    canvas.height = Math.round(height * nextRatio)
    view = toView({ ...view, width, height })
    ratio = nextRatio
    restyle()
  }

  function everyTarget(): Iterable<Target> {
    return choices.replayMs === undefined ? picture.targets.values() : [...picture.targets.values(), ...picture.ended]
  }

  function place(): void {
    const { replayMs } = choices
    if (replayMs !== undefined) for (const target of everyTarget()) placePast(target, replayMs)
    else {
      const atMs = nowMs()
      for (const target of picture.targets.values()) placeLive(target, atMs)
    }
  }

  function draw(): number {
    const startedAt = performance.now()
    map.beforeFrame?.()
    const atMs = choices.replayMs ?? nowMs()
    place()
    checkAreas(atMs)
    const move = placeOnMap(everyTarget(), view, onMap)
    const isMoving = startedAt - movedAt < restMs
    const isNewTrail =
      choices.hasTrails &&
      trails.work(view, ratio, everyTarget(), atMs, theme, isMoving ? trailBudgetMs.moving : trailBudgetMs.atRest)
    const least = onMap.length > maxSmooth ? 0.75 : leastMove
    if (!isDirty && !isNewTrail && move < least) return move
    const isNewGround = isMoving ? !covers(groundLayer, view) : isGroundStale || !isFor(groundLayer, view)
    if (isNewGround) {
      groundTexts = drawGround(groundLayer, view, ratio, {
        ...ground,
        ...choices,
        sensors: sensors(),
        ringed: ringedSensor(),
        areas: picture.areas,
        nowMs: atMs,
        theme,
      })
      placeNames.find(ground.places, { layer: groundLayer, view, ratio, theme })
      isGroundStale = false
    }
    isDirty = isMoving || isGroundStale || !isFor(groundLayer, view)
    paint(atMs, startedAt, { isMoving, isNewGround })
    return Infinity
  }

  /** An area becomes active, or not, without any news. */
  function checkAreas(atMs: number): void {
    if (Math.abs(atMs - areasAtMs) < areasEveryMs) return
    areasAtMs = atMs
    const active = toActiveIds(picture.areas, atMs)
    if (active === activeAreas) return
    activeAreas = active
    ;[isDirty, isGroundStale] = [true, true]
  }

  function paint(atMs: number, startedAt: number, { isMoving, isNewGround }: Change): void {
    const isLayoutDue = startedAt - labelsAt >= labelsEveryMs
    if (isLayoutDue) [free, labelsAt] = [undefined, startedAt]
    free ??= toFree(view, covered())
    setPixels(onMap, view)
    const obstacles = sensorBoxes(sensors(), view)
    // While the map is moved, texts on the ground are where they were drawn.
    const avoided = isMoving ? [] : [...placeNames.airports(), ...groundTexts]
    const isReplay = choices.replayMs !== undefined
    const notice = noticeBox(free)
    const shared = { view, theme, free, units: choices.units }
    const conflicts = isReplay
      ? []
      : placeConflicts(context, picture, { ...shared, nowMs: atMs, taken: [notice], hasTexts: hasConflictTexts })
    const texts = [notice, ...conflicts.flatMap(({ plate }) => (plate ? [plate] : []))]
    const marks = { symbols, labels, maxLabels }
    const options: DrawTargets = { ...choices, ...shared, ...marks, isReplay, obstacles, avoided, texts }
    if (isMoving && onMap.length > maxVectorsInMotion) options.hasVectors = false
    if (isLayoutDue && choices.hasLabels) layOutLabels(onMap, options)
    if (isNewGround || (isLayoutDue && !isMoving)) {
      const ofLabels = choices.hasLabels ? labelBoxes(onMap, options) : []
      placeNames.draw([...obstacles, ...texts, ...groundTexts, ...ofLabels], free)
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    show(context, placeNames.layer, view)
    if (choices.hasTrails) show(context, trails.layer, view)
    drawTargets(context, onMap, options)
    drawConflicts(context, conflicts, theme)
    drawNotice(context, notice, theme)
  }

  const frames = createFrames({
    draw,
    isStill: () => still.matches && choices.replayMs === undefined && !isDirty,
    signal,
  })
  const map: DrawnMap = {
    beforeFrame: undefined,
    view: () => view,
    place,
    setView(next) {
      view = next
      movedAt = performance.now()
      map.redraw()
    },
    redraw(what = 'all') {
      isDirty = true
      free = undefined
      if (what === 'ground') isGroundStale = true
      frames.request()
    },
    find(px, py, reach) {
      let nearest: Target | undefined
      let least = reach
      for (const target of onMap) {
        const distance = Math.hypot(target.px - px, target.py - py)
        if (distance > least) continue
        least = distance
        nearest = target
      }
      return nearest ?? (choices.hasLabels ? findByLabel(onMap, { ...choices, labels }, [px, py]) : undefined)
    },
  }
  dark.addEventListener('change', restyle, { signal })
  const observer = new ResizeObserver(resize)
  observer.observe(canvas)
  signal.addEventListener('abort', () => observer.disconnect())
  resize()
  map.redraw('ground')
  return map
}
