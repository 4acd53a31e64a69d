/** Reports of ever new targets, and readers of the air picture. */
import { aSensor } from '../../../parts/a-sensor.ts'
import { signIn } from '../../../parts/a-user.ts'
import { getParty } from '../hostile-parties.ts'
import type { Attack } from './attack.ts'
import { aDenseReportText, airLists } from './dense-report.ts'
import { repeat, requestsTo } from './requests.ts'

export const newTargets: Attack = async ({ ready, certificate }, started, stopping) => {
  const party = getParty(0)
  const at = { origin: ready.origin, ca: certificate.ca, client: party.client }
  const sensors = await Promise.all(party.localIds.slice(0, 4).map((localId) => aSensor({ ...at, localId })))
  const session = await signIn({ ready }, party.user)
  const authorization = `Bearer ${await session.getAccessToken()}`
  const get = requestsTo(ready.uiOrigin, certificate.ca, 24, { authorization })
  started()
  await Promise.all([
    ...sensors.flatMap(({ localId, submit }) =>
      repeat(1, stopping, 'reports', async (n) => (await submit(aDenseReportText(`${localId}:${n}`))).status),
    ),
    ...repeat(24, stopping, 'pictures', (n) => get(airLists[n % airLists.length] ?? '')),
  ])
}
