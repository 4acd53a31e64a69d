/**
 * `pnpm bench:air`: how well the air picture shows targets and raises alerts, beside two baselines, and how fast it is.
 * In: recordings, and scenarios of sites; `--only NAME` runs those whose name has this in it. Out: tables.
 */
import { parseArgs } from 'node:util'
import { createDeadReckoning, createNearestNeighbour } from './baselines.ts'
import { countDuplicates } from './duplicates.ts'
import { type EncounterFigures, runEncounters } from './encounters.ts'
import { measureLoad } from './load.ts'
import { fromRecording } from './metrics/truth.ts'
import { type Receiver, receive, threeReceiversAndARadar, withoutIdentifiers } from './receivers.ts'
import { type Recorded, readEfhkAircraftJson, readEfhkSbs, readLocards, readMonterey } from './recordings.ts'
import { createOurs, type Figures, type PictureMaker, run } from './run.ts'
import { scenarios } from './scenarios/all.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { measureSpeed } from './speed.ts'
import { sendThroughAgents } from './through-agents.ts'

/**
 * Parameters were chosen on these, and on EFHK, SBS, with seed 1. All others were run with the frozen parameters only.
 */
const tuningSeeds = [1, 2]
const evaluationSeeds = [31, 32, 33]
const encounterCount = 350

const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } } })
const isWanted = (name: string) => values.only === undefined || name.includes(values.only)
const seedSets = values.quick
  ? [{ name: 'tuning', seeds: tuningSeeds.slice(0, 1) }]
  : [
      { name: 'tuning', seeds: tuningSeeds },
      { name: 'held out', seeds: evaluationSeeds },
    ]
const makers: readonly [name: string, make: () => PictureMaker][] = values.quick
  ? [['ours', createOurs]]
  : [
      ['ours', createOurs],
      ['nearest neighbour', createNearestNeighbour],
      ['dead reckoning', createDeadReckoning],
    ]

const wanted = scenarios.filter(({ name }) => isWanted(name))
if (wanted.length > 0) {
  print(
    '| Scenario | Seeds | Picture | precision | recall | complete | ambiguity | spurious | rms m | rms m/s | number changes/h | wrong address | contained | GOSPA m: localisation | missed | false |',
  )
  print(
    '| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  )
  const alertRows: string[] = []
  const totals = new Map<string, Figures[]>()
  for (const scenario of wanted)
    for (const { name, seeds } of seedSets) showScenario(scenario, name, seeds, alertRows, totals)
  for (const [name, figures] of totals) print(toPictureRow(name, figures))
  print(
    '\n| Scenario | Seeds | conflicts/h: real | false | self | identity alerts/h | losses of well clear | alerted | lead s: least | median | near mid-airs | missed |',
  )
  print('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const row of alertRows) print(row)
}

if (isWanted('encounters')) {
  print(
    '\n| Encounters, seen by | Seeds | near mid-airs | missed | safe passes | alerted | advised | first advice reversed | headings begun after 10 s | keep the limits |',
  )
  print('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const sensor of ['adsb', 'radar'] as const) {
    for (const { name, seeds } of seedSets) {
      const sum = seeds.map((seed) => runEncounters(seed, encounterCount, sensor)).reduce(add)
      print(`| ${sensor} | ${name} | ${Object.values(sum).map(toText).join(' | ')} |`)
    }
  }
}

if (values.only === undefined || isWanted('recordings')) await showRecordings()
if (values.only === undefined || isWanted('speed')) showSpeed()

function showScenario(
  { name, make }: Scenario,
  seedsName: string,
  seeds: readonly number[],
  alertRows: string[],
  totals: Map<string, Figures[]>,
): void {
  for (const [makerName, createMaker] of makers) {
    const figures = seeds.map((seed) => run(make(seed), createMaker()))
    print(toPictureRow(`${name} | ${seedsName} | ${makerName}`, figures))
    const total = `total | ${seedsName} | ${makerName}`
    totals.set(total, [...(totals.get(total) ?? []), ...figures])
    if (createMaker === createOurs) alertRows.push(toAlertRow(`${name} | ${seedsName}`, figures))
  }
}

function toPictureRow(name: string, all: readonly Figures[]): string {
  const mean = (pick: (figures: Figures) => number) => {
    const known = all.map(pick).filter(Number.isFinite)
    return known.reduce((sum, one) => sum + one, 0) / known.length
  }
  const share = (pick: (figures: Figures) => number) => toShare(mean(pick))
  const whole = (pick: (figures: Figures) => number) => toWhole(mean(pick))
  return `| ${[
    name,
    share(({ score }) => score.precision),
    share(({ score }) => score.recall),
    share(({ picture }) => picture.completeness),
    share(({ picture }) => picture.ambiguity),
    share(({ picture }) => picture.spuriousness),
    whole(({ picture }) => picture.accuracyMetres),
    mean(({ picture }) => picture.velocityMetresPerSecond).toFixed(1),
    mean(({ picture }) => picture.trackChangesPerHour).toFixed(1),
    share(({ picture }) => picture.wrongAddressShare),
    share(({ picture }) => picture.containment),
    whole(({ picture }) => picture.gospaMetres.localisation),
    whole(({ picture }) => picture.gospaMetres.missed),
    whole(({ picture }) => picture.gospaMetres.false),
  ].join(' | ')} |`
}

function toAlertRow(name: string, all: readonly Figures[]): string {
  const hours = sumOf(all, ({ picture }) => picture.hours)
  const perHour = (pick: (figures: Figures) => number) => (sumOf(all, pick) / hours).toFixed(2)
  const leads = all.flatMap(({ alerts }) => alerts.leadSeconds).sort((a, b) => a - b)
  return `| ${[
    name,
    perHour(({ alerts }) => alerts.real),
    perHour(({ alerts }) => alerts.false),
    perHour(({ alerts }) => alerts.self),
    perHour(({ alerts }) => alerts.identity),
    sumOf(all, ({ alerts }) => alerts.lossesOfWellClear),
    leads.length,
    leads.length > 0 ? toWhole(leads[0] ?? 0) : '',
    leads.length > 0 ? toWhole(leads[leads.length >> 1] ?? 0) : '',
    sumOf(all, ({ alerts }) => alerts.nearMidAirs),
    sumOf(all, ({ alerts }) => alerts.missedNearMidAirs),
  ].join(' | ')} |`
}

async function showRecordings(): Promise<void> {
  const efhk = readEfhkSbs()
  const monterey = readMonterey()
  const transponders = monterey.filter(({ identity }) => !identity.startsWith('~'))
  const locards = readLocards()
  const locardsReceivers = [...new Set(locards.flatMap(({ receivers = [] }) => receivers))].map(
    (name): Receiver => ({
      name,
      dropShare: 0.1,
      hiddenShare: 0.5,
      accuracyMetres: 60,
      intervalMs: 0,
      hasVelocity: false,
    }),
  )
  print(
    '\nRecordings, after a sensor agent per receiver. Pairs of receptions by different receivers within 10 s, at least one without identifiers\n',
  )
  print(
    '| Recording | Seed | Picture | precision | recall | airborne: precision | recall | complete | ambiguity | spurious | rms m | number changes/h | contained | conflicts/h: real | false | self | identity/h |',
  )
  print(
    '| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  )
  const rows: [name: string, recorded: readonly Recorded[], receivers: readonly Receiver[]][] = [
    ['EFHK, SBS', efhk, threeReceiversAndARadar],
    ['EFHK, SBS, no identifiers', efhk.filter(({ position }) => !position.onGround), withoutIdentifiers],
    ['EFHK, aircraft.json', readEfhkAircraftJson(), threeReceiversAndARadar],
    ['Monterey, transponders', transponders, threeReceiversAndARadar],
    ['Monterey, no identifiers', transponders, withoutIdentifiers],
    ['LocaRDS', locards, locardsReceivers],
  ]
  for (const seed of [...tuningSeeds.slice(0, 1), ...(values.quick ? [] : evaluationSeeds)]) {
    for (const [name, recorded, receivers] of seed === 1 ? rows.slice(0, 2) : rows) {
      await showRecording(`${name}${seed === 1 ? ' (tuning)' : ''}`, recorded, receivers, seed)
    }
  }
  print('\nMonterey: targets that TIS-B (radar) reports beside a transponder\n')
  print(countDuplicates(monterey))
}

async function showRecording(
  name: string,
  recorded: readonly Recorded[],
  receivers: readonly Receiver[],
  seed: number,
) {
  const sightings = await sendThroughAgents(receive(recorded, receivers, seed))
  const targets = fromRecording(recorded)
  for (const [makerName, createMaker] of makers.slice(0, 2)) {
    const { score, airborne, picture, alerts } = run({ targets, sightings }, createMaker())
    const perHour = (count: number) => (count / picture.hours).toFixed(2)
    print(
      `| ${[
        name,
        seed,
        makerName,
        ...[score.precision, score.recall, airborne.precision, airborne.recall].map(toShare),
        toShare(picture.completeness),
        toShare(picture.ambiguity),
        toShare(picture.spuriousness),
        toWhole(picture.accuracyMetres),
        picture.trackChangesPerHour.toFixed(1),
        toShare(picture.containment),
        ...[alerts.real, alerts.false, alerts.self, alerts.identity].map(perHour),
      ].join(' | ')} |`,
    )
  }
}

function showSpeed(): void {
  const efhk = readEfhkSbs()
  // First, because the memory is that of the whole process.
  const load = values.quick
    ? undefined
    : measureLoad(efhk, { targets: 10_000, positionsPerSecond: 16_000, seconds: 60 })
  print(
    '\nPositions per second of processor time, one thread, recorded traffic in copies side by side; best of three\n',
  )
  print('| Targets | Positions | Half hidden | Standardise, altitudes, tracker, alerts | Tracker alone |')
  print('| ---: | ---: | --- | ---: | ---: |')
  for (const targets of values.quick ? [1_000] : [100, 1_000, 10_000]) {
    for (const hiddenShare of [0, 0.5]) {
      const { positions, whole, tracker } = measureSpeed(efhk, { targets, hiddenShare })
      const isHidden = hiddenShare > 0 ? 'yes' : 'no'
      print(`| ${toText(targets)} | ${toText(positions)} | ${isHidden} | ${toText(whole)} | ${toText(tracker)} |`)
    }
  }
  if (!load) return
  print(
    '\nA load for a minute, one thread with frames: by processor time, as if the thread had a processor of its own\n',
  )
  print('| Targets | Positions/s | µs per position | Most behind, s | MB |')
  print('| ---: | ---: | ---: | ---: | ---: |')
  const { targets, positionsPerSecond, microsecondsPerPosition, mostBehindSeconds, megabytes } = load
  const behind = mostBehindSeconds.toFixed(1)
  print(
    `| ${[targets, positionsPerSecond, microsecondsPerPosition].map(toText).join(' | ')} | ${behind} | ${toText(megabytes)} |`,
  )
}

function add(a: EncounterFigures, b: EncounterFigures): EncounterFigures {
  const entries = Object.entries(a) as [keyof EncounterFigures, number][]
  return Object.fromEntries(entries.map(([name, count]) => [name, count + b[name]])) as unknown as EncounterFigures
}

function sumOf(all: readonly Figures[], pick: (figures: Figures) => number): number {
  return all.reduce((sum, one) => sum + pick(one), 0)
}

function toShare(share: number): string {
  return Number.isFinite(share) ? share.toFixed(4) : ''
}

function toWhole(count: number): string {
  return Number.isFinite(count) ? String(Math.round(count)) : ''
}

function toText(count: number): string {
  return Math.round(count).toLocaleString('en')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
