/** `posrep-server devices`: the actions that users have in the portal, for scripts. */
import { type Command, Option } from 'commander'
import type { DeviceView, RelayStateName } from '../../admin/device-tools.ts'
import { type Answer, adminAction, toList } from '../admin-action.ts'

const relaySettings = ['allow-private-relays', 'relay-ports']

export function addDeviceCommands(program: Command): void {
  const devices = program.command('devices').description('manage devices, their relays and their pairing')

  adminAction<[options: { account?: string }]>(
    devices.command('list').description('list the devices').option('--account <ID>', 'only those of this account'),
    async ({ deviceTools }, options) =>
      toList(
        await deviceTools.list(options),
        ({ urn, name, account, relay, pending, buried, dropped }) => ({
          URN: urn,
          NAME: name,
          ACCOUNT: account,
          RELAY: relay?.state ?? 'none',
          PENDING: String(pending),
          BURIED: String(buried),
          DROPPED: String(dropped),
        }),
        'There are no devices; to add one: posrep-server sensors add roof1 --client fleet',
      ),
  )

  const relay = devices.command('relay').description('manage the address that reports of a device are forwarded to')
  adminAction<[device: string, url: string, options: { state: RelayStateName }]>(
    relay
      .command('set')
      .description('set the relay of a device; an active relay is validated first')
      .argument('<device>', 'URN or local ID')
      .argument('<url>', 'https address')
      .addOption(
        new Option('--state <STATE>', 'state of the relay').choices(['active', 'inactive', 'failed']).default('active'),
      ),
    async ({ deviceTools }, device, url, { state }) =>
      toRelayAnswer(await deviceTools.setRelay(device, url, state), state),
    relaySettings,
  )

  adminAction<[device: string]>(
    devices
      .command('pair')
      .description('start a pairing: for 60 s, the device can get its tokens')
      .argument('<device>', 'URN or local ID'),
    async ({ deviceTools }, device) => {
      const pairing = await deviceTools.pair(device)
      const text = `The device "${pairing.clientUniqueId}" can get its tokens until ${pairing.expiresAt}`
      return { json: pairing, text }
    },
  )
}

function toRelayAnswer(device: DeviceView, requested: RelayStateName): Answer {
  const { urn, relay } = device
  if (requested === 'active' && relay?.state === 'Failed') {
    return { json: device, text: '', problems: [`The relay of "${urn}" is Failed: ${relay.failureDescription}`] }
  }
  return { json: device, text: `The relay of "${urn}" is ${relay?.state}: ${relay?.url}` }
}
