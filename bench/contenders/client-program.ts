/**
 * A process that calls the API with one of the clients: by turns it lists devices and renames one.
 * In: `--client` and `--api`; POST of an order to its port. Out: the Measurement of the calls.
 */
import http from 'node:http'
import { json } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { createPosrep } from '@posrep/client-sdk'
import type { Device, DeviceList, paths } from '@posrep/spec'
import createRawClient from 'openapi-fetch'
import { type Measurement, startMeasuring, toMeasurement } from '../load/measurement.ts'
import { tellReady } from './tell-ready.ts'

export interface ClientOrder {
  seconds: number
  connections: number
}

interface Api {
  list(): Promise<DeviceList>
  rename(deviceUrn: string, deviceName: string): Promise<Device>
}

const { values } = parseArgs({ options: { client: { type: 'string' }, api: { type: 'string', default: '' } } })
const accessToken = 'a'.repeat(900)
const api = values.client === 'sdk' ? await withSdk(values.api) : withOpenapiFetch(values.api)

const server = http.createServer(async (request, response) => {
  // The load program sends what ClientOrder says.
  const order = (await json(request)) as ClientOrder
  response.end(JSON.stringify(await measure(order)))
})
server.listen(0, '127.0.0.1', () => tellReady(server))

async function measure({ seconds, connections }: ClientOrder): Promise<Measurement> {
  const delaysMs: number[] = []
  const startedAt = startMeasuring()
  const endAt = startedAt + seconds * 1_000
  const run = async (): Promise<void> => {
    for (let count = 0; performance.now() < endAt; count += 1) {
      const calledAt = performance.now()
      if (count % 2 === 0) check((await api.list()).data.length === 10)
      else check((await api.rename('urn:aa:device:acme:roof0', `Roof ${count}`)).deviceName === 'Roof 0')
      delaysMs.push(performance.now() - calledAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, run))
  return toMeasurement(delaysMs, startedAt)
}

function check(isRight: boolean): void {
  if (!isRight) throw new Error('The API answered something else')
}

/** Signed in, with a session whose tokens are in memory. */
async function withSdk(origin: string): Promise<Api> {
  const posrep = createPosrep({ origin, clientId: 'bench', redirectUri: 'https://app.example.net/callback' })
  const farMs = Date.now() + 3_600_000
  await posrep.session.signIn({ accessToken, refreshToken: 'r', expiresAtMs: farMs, refreshAtMs: farMs })
  return { list: () => posrep.listDevices(), rename: (urn, name) => posrep.changeDevice(urn, { deviceName: name }) }
}

/** The least that an app has to do: send a token, take the data, notice an error. */
function withOpenapiFetch(baseUrl: string): Api {
  const raw = createRawClient<paths>({ baseUrl, headers: { authorization: `Bearer ${accessToken}` } })
  const toData = <T>({ data, error }: { data?: T; error?: unknown }): T => {
    if (data === undefined) throw new Error(JSON.stringify(error))
    return data
  }
  return {
    list: async () => toData(await raw.GET('/v1/devices')),
    rename: async (deviceUrn, deviceName) =>
      toData(await raw.PATCH('/v1/devices/{deviceUrn}', { params: { path: { deviceUrn } }, body: { deviceName } })),
  }
}
