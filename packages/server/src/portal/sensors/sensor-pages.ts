/** The page that registers sensors. In: a request. Out: the page or a redirect, built from the API's own operations. */
import type { NewSensor, SensorRequest } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import type { PageAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/forms/form-fields.ts'
import { paginate } from '../../pages/page-links.tsx'
import type { Directory } from '../../ports/storage/directory.ts'
import type { Visitor } from '../../web/cookies.ts'
import { readDevices } from '../devices/read-devices.ts'
import { sensorsPath } from '../layout/paths.ts'
import type { LivePage } from '../live-updates.ts'
import type { Flash } from '../visit/flash.ts'
import { unsentReason, type Visit, type Visits } from '../visit/visit.ts'
import { findNameProblem, readSensorCsv } from './sensor-csv.ts'
import { nothingTyped, type SensorsProps, sensorsPage, type TypedSensors, type WrongInput } from './sensors.tsx'

/** Both forms of the page have this purpose in their form tokens. */
const purpose = 'sensors'

const notices = {
  requested: 'Your request was sent to the operator of this server. The state below shows the decision.',
  registered: 'Registered. The sensors are now in your list of devices; press Pair now to pair one.',
}

export interface SensorPagesOptions {
  visits: Visits
  /** The API has no list of clients. */
  directory: Pick<Directory, 'list'>
  /** See `createPortal`. */
  isOfAnotherAccount(accountId: string, localId: string): Promise<boolean>
}

export function createSensorPages({ visits, directory, isOfAnotherAccount }: SensorPagesOptions) {
  /** Those that sensors can belong to: with client credentials, or if there are none of these, all. */
  async function readClients({ session }: Visit): Promise<string[]> {
    const where = { index: 'accountId', equals: session.principal.accountId }
    const enabled = (await directory.list('client', { where })).filter(({ disabled }) => !disabled)
    const ofSensors = enabled.filter(({ grants }) => grants.includes('client_credentials'))
    return (ofSensors.length > 0 ? ofSensors : enabled).map(({ id }) => id).sort()
  }

  /** A sensor that another account had first cannot be paired: better known now than beside the sensor. */
  async function toNotice({ session }: Visit, sensors: SensorRequest[]): Promise<NonNullable<Flash['notice']>> {
    if (sensors.some(({ state }) => state !== 'approved')) return { text: notices.requested }
    const { accountId } = session.principal
    const localIds = sensors.map(({ clientUniqueId }) => clientUniqueId)
    const isOfAnother = await Promise.all(localIds.map((localId) => isOfAnotherAccount(accountId, localId)))
    const others = localIds.filter((_localId, index) => isOfAnother[index])
    return others.length === 0 ? { text: notices.registered } : { text: toOthersText(others), isFailure: true }
  }

  async function show(
    visit: Visit,
    {
      typed = nothingTyped,
      wrong = [],
      notice,
      pageNumber = null,
    }: Partial<SensorsProps> & { pageNumber?: string | null },
    status: PageAnswer['status'] = 200,
  ) {
    const [all, { devices }, clients] = await Promise.all([readRequests(visit), readDevices(visit), readClients(visit)])
    const { items: requests, page, pages } = paginate(all, pageNumber)
    const deviceIds = new Map(devices.map(({ deviceId }) => [toLocalPart(deviceId), deviceId]))
    return sensorsPage(
      { viewer: visit.viewer, requests, clients, deviceIds, typed, wrong, notice, page, pages },
      status,
    )
  }

  return {
    show: (visitor: Visitor, query: URLSearchParams) =>
      visits.show(visitor, toDestination(query), async (visit) => {
        const unsent = query.has('unsent') ? await visit.findUnsent(purpose) : undefined
        if (unsent) return show(visit, { typed: toTyped(unsent), wrong: [{ text: unsentReason }] })
        const typed = { ...nothingTyped, localId: toLocalId(query) }
        const { notice } = (await visit.takeFlash(sensorsPath, query)) ?? {}
        return show(visit, { typed, notice, pageNumber: query.get('page') })
      }),

    toLive: (query: URLSearchParams): LivePage => ({
      show: (visit) => show(visit, { pageNumber: query.get('page') }),
      watch: readRequests,
    }),

    submit: (visitor: Visitor, fields: FormFields) =>
      visits.act(visitor, fields, purpose, sensorsPath, async (visit) => {
        const typed = toTyped(fields)
        const { sensors, lines, wrong } = typed.csv === '' ? toOne(typed) : toMany(typed.csv)
        if (wrong.length > 0) return show(visit, { typed, wrong }, 400)
        try {
          const { data } = await visit.call('createSensorRequests', { body: { sensors } })
          return visit.goWith(sensorsPath, { notice: await toNotice(visit, data) })
        } catch (error) {
          if (!(error instanceof ApiError) || error.code === 'unavailable') throw error
          return show(visit, { typed, wrong: toWrong(error, lines) }, 400)
        }
      }),
  }
}

const maxNamed = 5

function toOthersText(localIds: string[]): string {
  const named = localIds.slice(0, maxNamed).map((localId) => `"${localId}"`)
  const more = localIds.length > maxNamed ? ` and ${localIds.length - maxNamed} more` : ''
  return `Registered, but another account had ${named.join(', ')}${more} first, so an operator of this service has to allow the pairing. If a local ID is mistyped, remove the device and register the right one.`
}

function readRequests({ call, share }: Visit): Promise<SensorRequest[]> {
  return share('sensor requests', async () => (await call('listSensorRequests', {})).objects<SensorRequest>())
}

/** A local ID may have colons. */
function toLocalPart(urn: string): string {
  return urn.split(':').slice(4).join(':')
}

export type SensorPages = ReturnType<typeof createSensorPages>

function toTyped(fields: FormFields): TypedSensors {
  return {
    localId: toText(fields.local_id).trim(),
    name: toText(fields.name).trim(),
    clientId: toText(fields.client_id).trim(),
    csv: toText(fields.csv),
  }
}

/** The local ID in the query of a link to the page. The form shows it, also after the user has signed in. */
function toLocalId(query: URLSearchParams): string {
  return query.get('clientUniqueId')?.trim().slice(0, 255).toWellFormed() ?? ''
}

function toDestination(query: URLSearchParams): string {
  const localId = toLocalId(query)
  return localId === '' ? sensorsPath : `${sensorsPath}?clientUniqueId=${encodeURIComponent(localId)}`
}

/** The sensors of a form, their line numbers if they came as CSV, and errors found without asking the API. */
interface ParsedSensors {
  sensors: NewSensor[]
  lines: number[]
  wrong: WrongInput[]
}

function toOne({ localId, name, clientId }: TypedSensors): ParsedSensors {
  const sensor: NewSensor = {
    clientUniqueId: localId,
    ...(name !== '' && { name }),
    ...(clientId !== '' && { clientId }),
  }
  const problem = findNameProblem(name)
  const wrong: WrongInput[] = [
    ...(localId === '' ? [{ field: 'localId', text: 'The local ID is missing' } as const] : []),
    ...(problem === undefined ? [] : [{ field: 'name', text: `The name ${problem}` } as const]),
  ]
  return { sensors: [sensor], lines: [], wrong }
}

function toMany(csv: string): ParsedSensors {
  const { wrong, ...parsed } = readSensorCsv(csv)
  return { ...parsed, wrong: wrong.map((text) => ({ field: 'csv', text })) }
}

const fieldOf: Record<string, keyof TypedSensors> = { clientUniqueId: 'localId', clientId: 'clientId', name: 'name' }

/** Turns the JSON Pointers of the API's errors into fields of the form, or into lines of the CSV. */
function toWrong({ message, errors }: ApiError, lines: number[]): WrongInput[] {
  if (errors.length === 0) return [{ text: message }]
  return errors.map(({ pointer, detail }) => {
    const [, index, member = ''] = /^\/sensors\/(\d+)\/(\w+)/.exec(pointer) ?? []
    const line = lines[Number(index)]
    // A detail such as "must be …" has no subject, because the pointer names the field.
    const text = detail.startsWith('must ') ? `the sensor ${detail}` : detail
    return line === undefined
      ? { field: fieldOf[member], text: text.replace(/^t/, 'T') }
      : { field: 'csv', text: `Line ${line}: ${text}` }
  })
}
