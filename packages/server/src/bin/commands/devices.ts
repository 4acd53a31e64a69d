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
        ({ urn, name, account, relay, pending, buried, dropped, mayBePaired }) => ({
          URN: urn,
          NAME: name,
          ACCOUNT: account,
          RELAY: relay?.state ?? 'none',
          PENDING: String(pending),
          BURIED: String(buried),
          DROPPED: String(dropped),
          PAIRING: mayBePaired ? 'allowed' : 'refused',
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
    { settings: relaySettings },
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

  adminAction<[device: string]>(
    devices
      .command('allow-pairing')
      .description('allow the pairing of a device whose local ID another account had first')
      .argument('<device>', 'URN')
      .addHelpText(
        'after',
        `
A sensor fetches its tokens by its local ID alone. So a device that was registered without an operator, under a local ID that
another account already had, cannot be paired: the other account's sensor might take the tokens, and report to this account.
Allow it if you know that this account has a sensor of its own with this local ID.
Example: posrep-server devices allow-pairing urn:aa:device:acme:roof1`,
      ),
    async ({ deviceTools }, device) => {
      const allowed = await deviceTools.allowPairing(device)
      return { json: allowed, text: `The device "${allowed.urn}" of the account "${allowed.account}" may be paired` }
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
