/** The page that registers sensors: a form for one, a form for many as CSV, and the list of earlier requests. */

import { toVisible } from '@posrep/kernel/visible'
import type { SensorRequest } from '@posrep/spec'
import type { PageAnswer } from '../../pages/answer.ts'
import { ErrorSummary, type FieldError } from '../../pages/forms/error-summary.tsx'
import { Field } from '../../pages/forms/field.tsx'
import { Live } from '../../pages/live.tsx'
import { LiveTable } from '../../pages/live-table.tsx'
import { Notice } from '../../pages/notice.tsx'
import { PageLinks } from '../../pages/page-links.tsx'
import { Time } from '../../pages/time.tsx'
import { Badge } from '../layout/badge.tsx'
import { pairingPath, sensorsPath } from '../layout/paths.ts'
import { type PortalPage, portalPage } from '../layout/portal-layout.tsx'
import { FormToken, type Viewer } from '../layout/viewer.tsx'

/** The typed text. The page shows it again beside the errors. */
export interface TypedSensors {
  localId: string
  name: string
  clientId: string
  csv: string
}

export interface WrongInput {
  /** Errors of a CSV start with the line. */
  text: string
  /** The field that the error is about, if it is about one. */
  field?: keyof TypedSensors | undefined
}

export interface SensorsProps {
  viewer: Viewer
  requests: SensorRequest[]
  /** The IDs of the account's clients that sensors can have. */
  clients: string[]
  /** The URNs of the account's devices by local ID, which is unique within an account. */
  deviceIds: ReadonlyMap<string, string>
  typed: TypedSensors
  wrong: WrongInput[]
  notice?: { text: string } | undefined
  /** The number of the page that `requests` is, from 1. */
  page: number
  pages: number
}

export const nothingTyped: TypedSensors = { localId: '', name: '', clientId: '', csv: '' }

const words: Record<SensorRequest['state'], { tone: 'good' | 'busy' | 'bad'; word: string }> = {
  pending: { tone: 'busy', word: 'Requested' },
  approved: { tone: 'good', word: 'Registered' },
  refused: { tone: 'bad', word: 'Refused' },
}

export function sensorsPage(props: SensorsProps, status: PageAnswer['status'] = 200): PortalPage {
  return portalPage(
    {
      viewer: props.viewer,
      title: 'Register sensors',
      tab: 'sensors',
      livePath: `${sensorsPath}/live?page=${props.page}`,
      children: <Sensors {...props} />,
    },
    status,
  )
}

function Sensors({ viewer, requests, clients, deviceIds, typed, wrong, notice, page, pages }: SensorsProps) {
  return (
    <>
      <div class="heading">
        <h1>Register sensors</h1>
        <p class="quiet">
          A sensor is known by its local ID, which its firmware sends. A registered sensor appears in your list of
          devices, where you can pair it. The operator of this server may have to approve it first.
        </p>
      </div>
      {wrong.length > 0 && <ErrorSummary title="Nothing was registered" errors={wrong.map(toFieldError)} />}
      {notice && <Notice {...notice} />}
      <div class="columns">
        <OneForm viewer={viewer} clients={clients} typed={typed} wrong={wrong} />
        <ManyForm viewer={viewer} typed={typed} wrong={wrong} />
      </div>
      <Requests viewer={viewer} requests={requests} deviceIds={deviceIds} />
      <PageLinks path={sensorsPath} page={page} pages={pages} />
    </>
  )
}

const fields: Record<keyof TypedSensors, { id: string; label: string }> = {
  localId: { id: 'local-id', label: 'Local ID' },
  name: { id: 'sensor-name', label: 'Name (optional)' },
  clientId: { id: 'client-id', label: 'Client' },
  csv: { id: 'csv', label: 'CSV' },
}

function toFieldError({ text, field }: WrongInput): FieldError {
  return { text, fieldId: field && fields[field].id }
}

type FormProps = Pick<SensorsProps, 'viewer' | 'typed' | 'wrong'>

/** The id, label and errors of a field. */
function about(field: keyof TypedSensors, wrong: WrongInput[]) {
  return { ...fields[field], wrong: wrong.filter((one) => one.field === field).map(({ text }) => text) }
}

const asTyped = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const

function OneForm({ viewer, clients, typed, wrong }: FormProps & Pick<SensorsProps, 'clients'>) {
  return (
    <section class="panel part" aria-labelledby="one-heading">
      <h2 id="one-heading">One sensor</h2>
      <form class="form" method="post" action={sensorsPath}>
        <FormToken viewer={viewer} purpose="sensors" />
        <Field
          {...about('localId', wrong)}
          help="Letters and digits, as printed on the device or set in its firmware. Upper and lower case matter."
        >
          {(inputProps) => (
            <input {...inputProps} {...asTyped} name="local_id" required maxLength={255} value={typed.localId} />
          )}
        </Field>
        <Field {...about('name', wrong)}>
          {(inputProps) => <input {...inputProps} name="name" maxLength={100} value={typed.name} autocomplete="off" />}
        </Field>
        {clients.length > 1 && (
          <Field
            {...about('clientId', wrong)}
            help="The application whose credentials the sensor has, or gets by pairing."
          >
            {(inputProps) => (
              <select {...inputProps} name="client_id" required>
                <option value="">Choose</option>
                {clients.map((id) => (
                  <option key={id} value={id} selected={id === typed.clientId}>
                    {id}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <div>
          <button type="submit" class="main">
            Register
          </button>
        </div>
      </form>
    </section>
  )
}

function ManyForm({ viewer, typed, wrong }: FormProps) {
  return (
    <section class="panel part" aria-labelledby="many-heading">
      <h2 id="many-heading">Many sensors</h2>
      <form class="form" method="post" action={sensorsPath}>
        <FormToken viewer={viewer} purpose="sensors" />
        <Field
          {...about('csv', wrong)}
          help={
            <>
              The first line names the columns: <code>local_id</code>, and optionally <code>client_id</code> and{' '}
              <code>name</code>. At most 1,000 sensors. Either all are registered or none.
            </>
          }
        >
          {(inputProps) => (
            <textarea
              {...inputProps}
              name="csv"
              rows={8}
              required
              spellcheck={false}
              placeholder={'local_id,client_id,name\nroof1,fleet,Roof'}
            >
              {typed.csv}
            </textarea>
          )}
        </Field>
        <div>
          <button type="submit">Register all</button>
        </div>
      </form>
    </section>
  )
}

function Requests({ viewer, requests, deviceIds }: Pick<SensorsProps, 'viewer' | 'requests' | 'deviceIds'>) {
  return (
    <section class="panel part" aria-labelledby="requests-heading">
      <h2 id="requests-heading">Requests</h2>
      <Live id="no-requests">
        {requests.length === 0 && (
          <p class="quiet">No requests yet. Each sensor that you register is listed here with its state.</p>
        )}
      </Live>
      <LiveTable
        id="requests"
        columns={['Local ID', 'Name', 'Client', 'Requested', 'State', { unseen: 'Pair' }]}
        rows={requests.map((request) => (
          <RequestRow
            key={request.id}
            viewer={viewer}
            request={request}
            deviceId={deviceIds.get(request.clientUniqueId)}
          />
        ))}
      />
    </section>
  )
}

interface RequestRowProps {
  viewer: Viewer
  request: SensorRequest
  /** Undefined when it is not registered, or was removed. */
  deviceId: string | undefined
}

function RequestRow({ viewer, request, deviceId, ...row }: RequestRowProps) {
  const { clientUniqueId, name, clientId, requestedAt, state } = request
  return (
    <tr {...row}>
      <th scope="row">
        <code>{clientUniqueId}</code>
      </th>
      <td class="wraps" data-label="Name">
        <bdi>{toVisible(name)}</bdi>
      </td>
      <td data-label="Client">{clientId}</td>
      <td data-label="Requested">
        <Time atMs={Date.parse(requestedAt)} nowMs={viewer.nowMs} />
      </td>
      <td data-label="State">
        <Badge tone={words[state].tone}>{words[state].word}</Badge>
        {state === 'pending' && <p class="help">The operator has to approve it.</p>}
      </td>
      <td>
        {state === 'approved' && deviceId !== undefined && (
          <form method="post" action={pairingPath}>
            <FormToken viewer={viewer} purpose={`pair:${deviceId}`} />
            <input type="hidden" name="device_id" value={deviceId} />
            <button type="submit">
              Pair now<span class="unseen"> {clientUniqueId}</span>
            </button>
          </form>
        )}
      </td>
    </tr>
  )
}
