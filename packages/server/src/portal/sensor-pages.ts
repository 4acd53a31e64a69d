/** What the page for registering sensors shows and does, over the operations of the document. */
import type { NewSensor } from '@posrep/spec'
import { ApiError } from '../errors.ts'
import type { Visitor } from '../identity/cookies.ts'
import { type PageAnswer, redirectAnswer } from '../pages/answer.ts'
import { type FormFields, toText } from '../pages/form-fields.ts'
import { sensorsPath } from './pages/paths.ts'
import { nothingTyped, type SensorsProps, sensorsPage, type TypedSensors, type WrongInput } from './pages/sensors.tsx'
import { unsentReason } from './pages/unsent-reason.ts'
import { findNameProblem, readSensorCsv } from './sensor-csv.ts'
import type { Visit, Visits } from './visit.ts'

const perPage = 50
/** Of both forms, as their tokens have it. */
const purpose = 'sensors'

const notices = new Map([
  ['asked', 'The operator of this server was asked. The state below changes when it is decided.'],
  ['registered', 'Registered. The sensors are among your devices now.'],
])

export function createSensorPages({ visits }: { visits: Visits }) {
  async function show(
    { viewer, call }: Visit,
    { typed = nothingTyped, wrong = [], notice, pageNumber = '' }: Partial<SensorsProps> & { pageNumber?: string },
    status: PageAnswer['status'] = 200,
  ) {
    const { data } = await call('listSensorRequests', {})
    const pages = Math.max(1, Math.ceil(data.length / perPage))
    const page = Math.min(pages, Math.max(1, Number.parseInt(pageNumber, 10) || 1))
    const requests = data.slice((page - 1) * perPage, page * perPage)
    return sensorsPage({ viewer, requests, typed, wrong, notice, page, pages }, status)
  }

  return {
    show: (visitor: Visitor, query: URLSearchParams) =>
      visits.show(visitor, toDestination(query), async (visit) => {
        const unsent = query.has('unsent') ? await visit.findUnsent(purpose) : undefined
        if (unsent) return show(visit, { typed: toTyped(unsent), wrong: [{ text: unsentReason }] })
        const typed = { ...nothingTyped, localId: toLocalId(query) }
        const notice = notices.get(query.get('done') ?? '')
        return show(visit, { typed, notice, pageNumber: query.get('page') ?? '' })
      }),

    submit: (visitor: Visitor, fields: FormFields) =>
      visits.act(visitor, fields, purpose, sensorsPath, async (visit) => {
        const typed = toTyped(fields)
        const { sensors, lines, wrong } = typed.csv === '' ? toOne(typed) : toMany(typed.csv)
        if (wrong.length > 0) return show(visit, { typed, wrong }, 400)
        try {
          const { data } = await visit.call('createSensorRequests', { body: { sensors } })
          const isDone = data.every(({ state }) => state === 'approved')
          return redirectAnswer(303, `${sensorsPath}?done=${isDone ? 'registered' : 'asked'}`)
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

/** The ID that a link brings along: it stands in the form, and is still there after signing in. */
function toLocalId(query: URLSearchParams): string {
  return query.get('clientUniqueId')?.trim().slice(0, 255).toWellFormed() ?? ''
}

function toDestination(query: URLSearchParams): string {
  const localId = toLocalId(query)
  return localId === '' ? sensorsPath : `${sensorsPath}?clientUniqueId=${encodeURIComponent(localId)}`
}

/** What is asked for; its lines, where it was pasted; what is wrong with it at first sight. */
interface Asked {
  sensors: NewSensor[]
  lines: number[]
  wrong: WrongInput[]
}

function toOne({ localId, name, clientId }: TypedSensors): Asked {
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

function toMany(csv: string): Asked {
  const { wrong, ...asked } = readSensorCsv(csv)
  return { ...asked, wrong: wrong.map((text) => ({ field: 'csv', text })) }
}

const fieldsOf: Record<string, keyof TypedSensors> = { clientUniqueId: 'localId', clientId: 'clientId', name: 'name' }

/** Places of the request's body as fields of the form, or as lines of what was pasted. */
function toWrong({ message, errors }: ApiError, lines: number[]): WrongInput[] {
  if (errors.length === 0) return [{ text: message }]
  return errors.map(({ pointer, detail }) => {
    const [, index, member = ''] = /^\/sensors\/(\d+)\/(\w+)/.exec(pointer) ?? []
    const line = lines[Number(index)]
    // Where the API names the place, people want a subject.
    const text = detail.startsWith('must ') ? `the sensor ${detail}` : detail
    return line === undefined
      ? { field: fieldsOf[member], text: text.replace(/^t/, 'T') }
      : { field: 'csv', text: `Line ${line}: ${text}` }
  })
}
