/**
 * `posrep-server sensors requests`, `approve` and `refuse`: decide on the sensors that users register in the portal.
 */
import type { Command } from 'commander'
import type { RegisteredSensorView } from '../../admin/views.ts'
import { adminAction, toList } from '../admin-action.ts'

export function addSensorRequestCommands(sensors: Command): void {
  const onRequest = (name: string, description: string) =>
    sensors.command(name).description(description).argument('<request>', 'id of the request')

  adminAction<[options: { all?: boolean }]>(
    sensors
      .command('requests')
      .description('list the pending requests of users to register sensors')
      .option('--all', 'include approved and refused requests'),
    async ({ requests }, { all }) =>
      toList(
        await requests.list({ all }),
        (request) => ({
          REQUEST: request.id,
          ASKED: request.requestedAt,
          BY: request.requestedBy,
          ACCOUNT: request.account,
          CLIENT: request.client,
          'LOCAL ID': request.localId,
          NAME: request.name,
          'ALSO IN': request.alsoIn.join(' '),
          ...(all && { STATE: request.state }),
        }),
        'There are no pending requests',
      ),
  )

  adminAction<[request: string]>(
    onRequest('approve', 'approve a request and register its sensor'),
    async ({ requests }, request) => {
      const sensor = await requests.approve(request)
      return { json: sensor, text: toAdded(sensor) }
    },
  )

  adminAction<[request: string]>(onRequest('refuse', 'refuse a request'), async ({ requests }, request) => {
    const refused = await requests.refuse(request)
    return { json: refused, text: `Refused the sensor "${refused.localId}" of the account "${refused.account}"` }
  })
}

/** Shows the other accounts that have the local ID. */
export function toAdded({ urn, localId, account, alsoIn }: RegisteredSensorView): string {
  const added = `Added the sensor "${urn}" to the account "${account}"`
  if (alsoIn.length === 0) return added
  const owners = alsoIn.map((id) => `"${id}"`).join(', ')
  return `${added}; a sensor "${localId}" is also in: ${owners}. Each of them may be paired, so check that there are several sensors`
}
