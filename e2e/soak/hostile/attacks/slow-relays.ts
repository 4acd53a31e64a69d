/** 300 devices whose relays answer after 9 s: 40 on the good account's own host, the others each on its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@posrep/client-sdk'
import { aReportText, aSensor } from '../../../parts/a-sensor.ts'
import { signIn } from '../../../parts/a-user.ts'
import { hostileParties, urnOf } from '../hostile-parties.ts'
import { answerSlowly, aRelay } from '../hostile-relay.ts'
import type { Attack } from './attack.ts'
import { counted } from './requests.ts'

export const slowRelays: Attack = async ({ ready, certificate, sharedUrl }, started, stopping) => {
  const sensors = (
    await Promise.all(
      hostileParties.map(async (party) => {
        const session = await signIn({ ready }, party.user)
        const client = createClient({ origin: ready.origin, session })
        const own = []
        for (const [n, localId] of party.localIds.entries()) {
          const url = n < 8 ? sharedUrl : await aRelay(certificate, answerSlowly)
          await client.updateRelay(urnOf(party, localId), { url, state: 'Active' })
          own.push(await aSensor({ origin: ready.origin, ca: certificate.ca, client: party.client, localId }))
        }
        return own
      }),
    )
  ).flat()
  let number = 0
  const submitAll = () =>
    Promise.all(
      sensors.map(({ localId, submit }) =>
        counted('reports', async () => (await submit(aReportText(`${localId}:${number++}`))).status),
      ),
    )
  for (let n = 0; n < 5; n++) await submitAll()
  started()
  while (!stopping.aborted) {
    await submitAll()
    await sleep(5_000, undefined, { signal: stopping }).catch(() => {})
  }
}
