/**
 * Imports a list of sensors, all or none.
 * In: the bytes of a CSV file. Out: the number of registered sensors, or every bad line with its reason.
 * Lines are validated before anything is written. An ID that is already registered is found when the records are
 * written (`bulk-registration.ts`).
 */
import * as v from 'valibot'
import { type DeviceRegistry, toDeviceRecord } from '../../devices/registry.ts'
import type { Audit } from '../../identity/audit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Client, Directory } from '../../ports/storage/directory.ts'
import { type EntryRules, entrySchemas, findLocalIdProblem } from '../entries.ts'
import { auditConsent } from './audit-consent.ts'
import { registerAll } from './bulk-registration.ts'
import { describeTaken, findTaken } from './sensor-admin.ts'
import { type BadLine, type ListedSensor, readSensorList } from './sensor-list.ts'

export type ImportOutcome = { kind: 'registered'; sensors: number } | { kind: 'refused'; badLines: BadLine[] }

export interface SensorImportOptions {
  directory: Directory
  devices: DeviceRegistry
  clock: Clock
  rules: EntryRules
  audit: Audit
}

interface Candidate {
  line: number
  client: Client
  localId: string
  name: string | undefined
}

/** Lookups in flight at a time, so that a long list does not overload the storage. */
const chunkSize = 50

export async function importSensors(
  bytes: Uint8Array,
  { directory, devices, clock, rules, audit }: SensorImportOptions,
): Promise<ImportOutcome> {
  const { sensors, badLines } = readSensorList(bytes)
  const clients = await findClients(directory, sensors)
  const firstLines = new Map<string, number>()
  const candidates = sensors.flatMap((sensor): Candidate[] => {
    const client = clients.get(sensor.client)
    const reason = findProblem(sensor, client, rules) ?? (client && findRepetition(sensor, client, firstLines))
    if (reason === undefined && client) return [{ ...sensor, client, name: sensor.name }]
    badLines.push({ line: sensor.line, reason: reason ?? '' })
    return []
  })
  if (badLines.length > 0) return refused([...badLines, ...(await findTakenLines(devices, candidates))])

  const createdAtMs = clock.now()
  const records = candidates.map((candidate) => toDeviceRecord(candidate, createdAtMs))
  const conflicts = await registerAll(records, { directory, clock })
  if (conflicts.length === 0) {
    await inChunks(records, (record) => auditConsent(record, { devices, audit }))
    return { kind: 'registered', sensors: records.length }
  }
  const takenLines = await findTakenLines(devices, candidates)
  // Some conflicts may be gone by now, or belong to an import whose records are still hidden.
  const lines = conflicts.flatMap((index) => candidates[index]?.line ?? [])
  const others = lines.filter((line) => !takenLines.some((taken) => taken.line === line))
  return refused([
    ...takenLines,
    ...others.map((line) => ({ line, reason: 'the sensor was being registered by another command or user' })),
  ])
}

async function findClients(directory: Directory, sensors: ListedSensor[]): Promise<Map<string, Client>> {
  const ids = [...new Set(sensors.map(({ client }) => client))]
  const clients = await inChunks(ids, (id) => directory.find('client', id))
  return new Map(clients.flatMap((client) => (client ? [[client.id, client]] : [])))
}

function findProblem(sensor: ListedSensor, client: Client | undefined, rules: EntryRules): string | undefined {
  const problem = findLocalIdProblem(sensor.localId, rules)
  if (problem !== undefined) return `the local ID ${problem}`
  if (!client) return `there is no client "${sensor.client}"`
  const name = v.safeParse(entrySchemas.sensor.entries.name, sensor.name)
  return name.success ? undefined : `the name ${name.issues[0].message}`
}

function findRepetition(
  { line, localId }: ListedSensor,
  { accountId }: Client,
  firstLines: Map<string, number>,
): string | undefined {
  const key = `${accountId} ${localId}`
  const firstLine = firstLines.get(key)
  if (firstLine === undefined) firstLines.set(key, line)
  return firstLine === undefined
    ? undefined
    : `the sensor "${localId}" of the account "${accountId}" is already on line ${firstLine}`
}

async function findTakenLines(devices: DeviceRegistry, candidates: Candidate[]): Promise<BadLine[]> {
  const lines = await inChunks(candidates, async ({ line, client, localId }): Promise<BadLine[]> => {
    const existing = await findTaken(devices, client, localId)
    return existing ? [{ line, reason: describeTaken(toDeviceRecord({ client, localId }, 0), existing) }] : []
  })
  return lines.flat()
}

async function inChunks<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += chunkSize) {
    results.push(...(await Promise.all(items.slice(from, from + chunkSize).map(work))))
  }
  return results
}

function refused(badLines: BadLine[]): ImportOutcome {
  return { kind: 'refused', badLines: badLines.sort((a, b) => a.line - b.line) }
}
