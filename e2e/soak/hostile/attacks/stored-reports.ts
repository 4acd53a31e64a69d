/**
 * One account stores as much as it may, in reports of 1 MiB that are 1 kB each on the wire, and asks for all of it,
 * again and again: recent reports, pending deliveries, buried ones to be sent again, and the air picture. Clients of
 * four accounts read slowly.
 */
import { gzipSync } from 'node:zlib'
import { createClient } from '@posrep/client-sdk'
import { aLargeReportText, aSensor, type Sensor } from '../../../parts/a-sensor.ts'
import { signIn } from '../../../parts/a-user.ts'
import { getParty, type Party, urnOf } from '../hostile-parties.ts'
import { answerSlowly, aRelay, refuse } from '../hostile-relay.ts'
import type { Attack, AttackData } from './attack.ts'
import { aDenseReportText, airLists } from './dense-report.ts'
import { repeat, requestsTo } from './requests.ts'

const mebibyte = 1024 * 1024
/** Of the account that stores the most: with a relay that is slow, and with one that refuses. */
const pendingSensors = 6
const buryingSensors = 2
/** Reports of each sensor that are stored before the attack starts. */
const storedAtFirst = 12
const slowAccounts = 4
const gzipped = { 'content-encoding': 'gzip' }

export const storedReports: Attack = async (data, started, stopping) => {
  const { ready, certificate } = data
  const [first, ...others] = await Promise.all(
    Array.from({ length: slowAccounts }, (_, n) => aHostileAccount(data, getParty(n), n === 0 ? pendingSensors : 1)),
  )
  if (!first) throw new RangeError('There is no hostile account')
  const burying = await setRelays(data, first, buryingSensors)
  const { party, authorization, sensors } = first
  const stored = [...sensors, ...burying]
  await Promise.all(
    [first, ...others]
      .flatMap((account) => account.sensors)
      .concat(burying)
      .map(storeReports),
  )

  const to = (connections: number, as = authorization) =>
    requestsTo(ready.uiOrigin, certificate.ca, connections, { authorization: as })
  const pathsOf = ({ localId }: Sensor, of: Party = party) => `/v1/devices/${encodeURIComponent(urnOf(of, localId))}`
  const lists = stored
    .map((sensor) => pathsOf(sensor))
    .flatMap((device) => [
      `${device}/recent`,
      `${device}/recent?limit=200`,
      `${device}/deliveries?state=pending&limit=200`,
      `${device}/deliveries?state=buried&limit=200`,
    ])
  const [read, readAir, resend] = [to(24), to(24), to(3)]
  const dense = Array.from({ length: 20 }, (_, n) => gzipSync(aDenseReportText(`dense${n}`)))
  const denseSensor = await aSensor({ ...sensorsAt(data, party), localId: getLocalId(party, 20), connections: 20 })
  const large = stored.map(({ localId }) =>
    Array.from({ length: 10 }, (_, n) => gzipSync(aLargeReportText(`${localId}:again${n}`, mebibyte))),
  )
  started()
  await Promise.all([
    ...stored.flatMap((sensor, at) =>
      repeat(1, stopping, 'reports', async (n) => submit(sensor, large[at]?.[n % 10] ?? Buffer.of())),
    ),
    ...repeat(20, stopping, 'dense reports', (n) => submit(denseSensor, dense[n % 20] ?? Buffer.of())),
    ...repeat(24, stopping, 'lists', (n) => read(lists[n % lists.length] ?? '')),
    ...repeat(24, stopping, 'pictures', (n) => readAir(airLists[n % airLists.length] ?? '')),
    ...repeat(3, stopping, 'resends', (n) =>
      resend(`${pathsOf(burying[n % burying.length] ?? denseSensor)}/resend-buried`, { method: 'POST' }),
    ),
    ...[first, ...others].flatMap((account) => {
      const readSlowly = to(3, account.authorization)
      return repeat(3, stopping, 'slow lists', (n) => {
        const sensor = account.sensors[n % account.sensors.length] ?? denseSensor
        return readSlowly(`${pathsOf(sensor, account.party)}/recent`, { slowly: true })
      })
    }),
  ])
}

interface HostileAccount {
  party: Party
  authorization: string
  client: ReturnType<typeof createClient>
  sensors: Sensor[]
}

/** With sensors whose relays are slow. */
async function aHostileAccount(data: AttackData, party: Party, count: number): Promise<HostileAccount> {
  const session = await signIn({ ready: data.ready }, party.user)
  const client = createClient({ origin: data.ready.origin, session })
  const relay = await aRelay(data.certificate, answerSlowly)
  const sensors = await Promise.all(
    party.localIds.slice(0, count).map(async (localId) => {
      await client.updateRelay(urnOf(party, localId), { url: relay, state: 'Active' })
      return aSensor({ ...sensorsAt(data, party), localId })
    }),
  )
  return { party, authorization: `Bearer ${await session.getAccessToken()}`, client, sensors }
}

/** Further sensors of the account, whose relay refuses every report. */
async function setRelays(
  data: AttackData,
  { party, client, sensors }: HostileAccount,
  count: number,
): Promise<Sensor[]> {
  const relay = await aRelay(data.certificate, refuse)
  const localIds = party.localIds.slice(sensors.length, sensors.length + count)
  for (const localId of localIds) await client.updateRelay(urnOf(party, localId), { url: relay, state: 'Active' })
  return Promise.all(localIds.map((localId) => aSensor({ ...sensorsAt(data, party), localId })))
}

async function storeReports(sensor: Sensor): Promise<void> {
  for (let n = 0; n < storedAtFirst; n++) {
    await submit(sensor, gzipSync(aLargeReportText(`${sensor.localId}:${n}`, mebibyte)))
  }
}

async function submit(sensor: Sensor, body: Buffer): Promise<number> {
  return (await sensor.submit(body, { headers: gzipped, deadlineMs: 60_000 })).status
}

function sensorsAt({ ready, certificate }: AttackData, { client }: Party) {
  return { origin: ready.origin, ca: certificate.ca, client }
}

function getLocalId({ localIds }: Party, index: number): string {
  const localId = localIds[index]
  if (localId === undefined) throw new RangeError(`There is no sensor with the index ${index}`)
  return localId
}
