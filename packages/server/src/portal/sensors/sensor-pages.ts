/** The page that registers sensors. In: a request. Out: the page or a redirect, built from the API's own operations. */
import type { NewSensor } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import type { PageAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/forms/form-fields.ts'
import { paginate } from '../../pages/page-links.tsx'
import type { Visitor } from '../../web/cookies.ts'
import { sensorsPath } from '../layout/paths.ts'
import type { LivePage } from '../live-updates.ts'
import { unsentReason, type Visit, type Visits } from '../visit/visit.ts'
import { findNameProblem, readSensorCsv } from './sensor-csv.ts'
import { nothingTyped, type SensorsProps, sensorsPage, type TypedSensors, type WrongInput } from './sensors.tsx'

/** Both forms of the page have this purpose in their form tokens. */
const purpose = 'sensors'

const notices = {
  requested: 'Your request was sent to the operator of this server. The state below shows the decision.',
  registered: 'Registered. The sensors are now in your list of devices; press Pair now to pair one.',
}

export function createSensorPages({ visits }: { visits: Visits }) {
  async function show(
    { viewer, call }: Visit,
    {
      typed = nothingTyped,
      wrong = [],
      notice,
      pageNumber = null,
    }: Partial<SensorsProps> & { pageNumber?: string | null },
    status: PageAnswer['status'] = 200,
  ) {
    const { data } = await call('listSensorRequests', {})
    const { items: requests, page, pages } = paginate(data, pageNumber)
    return sensorsPage({ viewer, requests, typed, wrong, notice, page, pages }, status)
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
      watch: ({ call }) => call('listSensorRequests', {}),
    }),

    submit: (visitor: Visitor, fields: FormFields) =>
      visits.act(visitor, fields, purpose, sensorsPath, async (visit) => {
        const typed = toTyped(fields)
        const { sensors, lines, wrong } = typed.csv === '' ? toOne(typed) : toMany(typed.csv)
        if (wrong.length > 0) return show(visit, { typed, wrong }, 400)
        try {
          const { data } = await visit.call('createSensorRequests', { body: { sensors } })
          const isDone = data.every(({ state }) => state === 'approved')
          const text = isDone ? notices.registered : notices.requested
          return visit.goWith(sensorsPath, { notice: { text } })
        } catch (error) {
          if (!(error instanceof ApiError) || error.code === 'unavailable') throw error
          return show(visit, { typed, wrong: toWrong(error, lines) }, 400)
        }
      }),
  }
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
