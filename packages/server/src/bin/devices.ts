/** `posrep-server devices …`: for scripts, what users do to their devices in the portal. */
import { type Command, Option } from 'commander'
import type { DeviceView, RelayStateName } from '../device-tools.ts'
import { type Answer, adminAction, toList } from './admin-action.ts'

const relaySettings = ['allow-private-relays', 'relay-ports']

export function addDeviceCommands(program: Command): void {
  const devices = program.command('devices').description('devices, their relays and their pairing')

  adminAction<[options: { account?: string }]>(
    devices.command('list').description('list the devices').option('--account <ID>', 'of this account only'),
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

  const relay = devices.command('relay').description('where the reports of a device are forwarded')
  adminAction<[device: string, url: string, options: { state: RelayStateName }]>(
    relay
      .command('set')
      .description('set the relay of a device; an active one is validated first')
      .argument('<device>', 'its URN, or its local ID')
      .argument('<url>', 'HTTPS')
      .addOption(
        new Option('--state <STATE>', 'what it shall be').choices(['active', 'inactive', 'failed']).default('active'),
      ),
    async ({ deviceTools }, device, url, { state }) =>
      toRelayAnswer(await deviceTools.setRelay(device, url, state), state),
    relaySettings,
  )

  adminAction<[device: string]>(
    devices
      .command('pair')
      .description('open the 60 s in which a device gets its tokens')
      .argument('<device>', 'its URN, or its local ID'),
    async ({ deviceTools }, device) => {
      const pairing = await deviceTools.pair(device)
      const text = `The device "${pairing.clientUniqueId}" may fetch its tokens until ${pairing.expiresAt}`
      return { json: pairing, text }
    },
  )
}

function toRelayAnswer(device: DeviceView, asked: RelayStateName): Answer {
  const { urn, relay } = device
  if (asked === 'active' && relay?.state === 'Failed') {
    return { json: device, text: '', problems: [`The relay of "${urn}" is Failed: ${relay.failureDescription}`] }
  }
  return { json: device, text: `The relay of "${urn}" is ${relay?.state}: ${relay?.url}` }
}
