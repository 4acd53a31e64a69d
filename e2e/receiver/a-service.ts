/** A server with three sensors, and a user who sets their relay: for tests of receivers with the real courier. */
import { onTestFinished } from 'vitest'
import { aReportText, aSensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrnOf, seedWith, someLocalIds } from '../parts/seed.ts'
import { aServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

export interface Service {
  certificate: ServerProcess['certificate']
  /** File of the CA of the service's certificate. */
  caFile: string
  issuer: string
  /** Sets the relay of all sensors; resolves with the states. */
  setRelay(url: string): Promise<(string | undefined)[]>
  /**
   * Each sensor submits this number of reports, one after the other. Resolves with the IDs of their positions, by
   * sensor.
   */
  submit(count: number): Promise<Map<string, string[]>>
}

const localIds = someLocalIds(3)

/** It ends with the test. */
export async function aService(...flags: string[]): Promise<Service> {
  const location = await aServerLocation(seedWith(localIds.length))
  onTestFinished(location.remove)
  const seed = ['--seed', `${location.folder}/seed.json`]
  const server = await startServer(location, ...seed, '--allow-private-relays', ...flags)
  onTestFinished(() => server.kill())
  const { ready, certificate } = server
  trust(certificate.ca)
  const user = await aUser(server)
  let submitted = 0

  return {
    certificate,
    caFile: ready.caFile,
    issuer: ready.authOrigin,
    async setRelay(url) {
      const devices = localIds.map((localId) => user.updateRelay(deviceUrnOf(localId), { url, state: 'Active' }))
      return (await Promise.all(devices)).map(({ relayDetails }) => relayDetails?.state)
    },
    async submit(count) {
      const round = ++submitted
      const sent = localIds.map(async (localId): Promise<[string, string[]]> => {
        const sensor = await aSensor({ origin: ready.origin, ca: certificate.ca, localId })
        const ids = Array.from({ length: count }, (_, n) => `${localId}:${round}:${n}`)
        for (const id of ids) {
          const { status } = await sensor.submit(aReportText(id))
          if (status !== 202) throw new Error(`A report was answered with ${status}`)
        }
        sensor.close()
        return [deviceUrnOf(localId), ids]
      })
      return new Map(await Promise.all(sent))
    },
  }
}
