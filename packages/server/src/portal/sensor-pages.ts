/** What the page for registering sensors shows and does, over the operations of the document. */
import type { NewSensor } from '@posrep/spec'
import { ApiError } from '../errors.ts'
import type { Visitor } from '../identity/cookies.ts'
import { redirectAnswer } from '../pages/answer.ts'
import { type FormFields, toText } from '../pages/form-fields.ts'
import { sensorsPath } from './pages/paths.ts'
import { nothingTyped, type SensorsProps, sensorsPage, type TypedSensors } from './pages/sensors.tsx'
import { findNameProblem, readSensorCsv } from './sensor-csv.ts'
import type { Visit, Visits } from './visit.ts'

const perPage = 50

const notices = new Map([
  ['asked', 'The operator of this server was asked. The state below changes when it is decided.'],
  ['registered', 'Registered. The sensors are among your devices now.'],
])

export function createSensorPages({ visits }: { visits: Visits }) {
  async function show(
    { viewer, call }: Visit,
    { typed = nothingTyped, wrong = [], notice, pageNumber = '' }: Partial<SensorsProps> & { pageNumber?: string },
  ) {
    const { data } = await call('listSensorRequests')
    const pages = Math.max(1, Math.ceil(data.length / perPage))
    const page = Math.min(pages, Math.max(1, Number.parseInt(pageNumber, 10) || 1))
    const requests = data.slice((page - 1) * perPage, page * perPage)
    return sensorsPage({ viewer, requests, typed, wrong, notice, page, pages }, wrong.length > 0 ? 400 : 200)
  }

  return {
    show: (visitor: Visitor, query: URLSearchParams) =>
      visits.show(visitor, toDestination(query), (visit) => {
        const typed = { ...nothingTyped, localId: toLocalId(query) }
        const notice = notices.get(query.get('done') ?? '')
        return show(visit, { typed, notice, pageNumber: query.get('page') ?? '' })
      }),

    submit: (visitor: Visitor, fields: FormFields) =>
      visits.act(visitor, fields, 'sensors', sensorsPath, async (visit) => {
        const typed: TypedSensors = {
          localId: toText(fields.local_id).trim(),
          name: toText(fields.name).trim(),
          clientId: toText(fields.client_id).trim(),
          csv: toText(fields.csv),
        }
        const { sensors, lines, wrong } = typed.csv === '' ? toOne(typed) : readSensorCsv(typed.csv)
        if (wrong.length > 0) return show(visit, { typed, wrong })
        try {
          const { data } = await visit.call('createSensorRequests', { body: { sensors } })
          const isDone = data.every(({ state }) => state === 'approved')
          return redirectAnswer(303, `${sensorsPath}?done=${isDone ? 'registered' : 'asked'}`)
        } catch (error) {
          if (!(error instanceof ApiError) || error.code === 'unavailable') throw error
          return show(visit, { typed, wrong: toReasons(error, lines) })
        }
      }),
  }
}

export type SensorPages = ReturnType<typeof createSensorPages>

/** The ID that a link brings along: it stands in the form, and is still there after signing in. */
function toLocalId(query: URLSearchParams): string {
  return query.get('clientUniqueId')?.trim().slice(0, 255).toWellFormed() ?? ''
}

function toDestination(query: URLSearchParams): string {
  const localId = toLocalId(query)
  return localId === '' ? sensorsPath : `${sensorsPath}?clientUniqueId=${encodeURIComponent(localId)}`
}

function toOne({ localId, name, clientId }: TypedSensors) {
  const sensor: NewSensor = {
    clientUniqueId: localId,
    ...(name !== '' && { name }),
    ...(clientId !== '' && { clientId }),
  }
  const problem = findNameProblem(name)
  return { sensors: [sensor], lines: [], wrong: problem === undefined ? [] : [`The name ${problem}`] }
}

/** Places of the request's body as lines of what was pasted. */
function toReasons({ message, errors }: ApiError, lines: number[]): string[] {
  if (errors.length === 0) return [message]
  return errors.map(({ pointer, detail }) => {
    const line = lines[Number(/^\/sensors\/(\d+)/.exec(pointer)?.[1])]
    return line === undefined ? detail : `Line ${line}: ${detail}`
  })
}
