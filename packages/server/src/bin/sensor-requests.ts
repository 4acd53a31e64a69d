/** `posrep-server sensors requests, approve, refuse`: the sensors that users ask to register in the portal. */
import type { Command } from 'commander'
import { adminAction, toList } from './admin-action.ts'

export function addSensorRequestCommands(sensors: Command): void {
  const onRequest = (name: string, description: string) =>
    sensors.command(name).description(description).argument('<request>', 'id of the request')

  adminAction<[options: { all?: boolean }]>(
    sensors
      .command('requests')
      .description('list the sensors that users ask to register')
      .option('--all', 'those that were approved or refused, too'),
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
        'No user waits for a sensor to be registered',
      ),
  )

  adminAction<[request: string]>(
    onRequest('approve', 'register the sensor that a user asks for'),
    async ({ requests }, request) => {
      const sensor = await requests.approve(request)
      return { json: sensor, text: `Added the sensor "${sensor.urn}" to the account "${sensor.account}"` }
    },
  )

  adminAction<[request: string]>(
    onRequest('refuse', 'do not register the sensor that a user asks for'),
    async ({ requests }, request) => {
      const refused = await requests.refuse(request)
      return { json: refused, text: `Refused the sensor "${refused.localId}" of the account "${refused.account}"` }
    },
  )
}
