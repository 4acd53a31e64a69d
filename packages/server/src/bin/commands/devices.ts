/** `posrep-server devices`: the actions that users have in the portal, for scripts. */

import { helpEnd } from '@posrep/kernel/help'
import { toVisible } from '@posrep/kernel/visible'
import { type Command, Option } from 'commander'
import type { DeviceView, PairingEnd, RelayTestView } from '../../admin/devices/device-views.ts'
import type { RelayStateName } from '../../admin/devices/relay-tools.ts'
import { type Row, toDetails } from '../../admin/table.ts'
import { toTime } from '../../admin/views.ts'
import { type Answer, adminAction, toList } from '../admin-action.ts'

const relaySettings = ['allowPrivateRelays', 'relayPorts', 'relayCa'] as const

export function addDeviceCommands(program: Command): void {
  const devices = program.command('devices').description('manage devices, their relays and their pairing')

  adminAction<[options: { account?: string }]>(
    devices.command('list').description('list the devices').option('--account <ID>', 'only those of this account'),
    async ({ deviceTools }, options) =>
      toList(
        await deviceTools.list(options),
        ({ urn, name, tags, account, lastReportAt, relay, pending, buried, dropped, mayBePaired }) => ({
          URN: urn,
          NAME: name,
          TAGS: tags.length === 0 ? 'none' : tags.join(' '),
          ACCOUNT: account,
          'LAST REPORT': lastReportAt === null ? 'none' : toTime(Date.parse(lastReportAt)),
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
  adminAction<[device: string]>(
    relay
      .command('show')
      .description('show the relay of a device, and how many messages wait for it')
      .argument('<device>', 'URN or local ID'),
    async ({ deviceTools }, given) => {
      const device = await deviceTools.get(given)
      return { json: device, text: toDetails(toRelayRow(device)) }
    },
  )

  adminAction<[device: string]>(
    relay
      .command('test')
      .description('send a test message to the active relay of a device; exit 1 when the relay does not accept it')
      .argument('<device>', 'URN or local ID'),
    async ({ deviceTools }, device) => toTestAnswer(await deviceTools.testRelay(device)),
    { settings: relaySettings },
  )

  adminAction<[device: string, url: string, options: { state: RelayStateName }]>(
    relay
      .command('set')
      .description('set the relay of a device; an address that does not pass the validation changes nothing')
      .argument('<device>', 'URN or local ID')
      .argument('<url>', 'https address')
      .addOption(
        new Option('--state <STATE>', 'state of the relay').choices(['active', 'inactive', 'failed']).default('active'),
      ),
    async ({ deviceTools }, device, url, { state }) => toRelayAnswer(await deviceTools.setRelay(device, url, state)),
    { settings: relaySettings },
  )

  adminAction<[device: string, options: { wait?: boolean }]>(
    devices
      .command('pair')
      .description('start a pairing: for 60 s, the device can get its tokens')
      .argument('<device>', 'URN or local ID')
      .option('--wait', 'wait until the device got its tokens; exit 1 when it did not come'),
    async ({ deviceTools }, device, { wait }) => {
      const pairing = await deviceTools.pair(device)
      const text = `The device "${pairing.clientUniqueId}" can get its tokens until ${pairing.expiresAt}`
      if (!wait) return { json: pairing, text }
      process.stderr.write(`posrep-server: ${toVisible(text)}; waiting for it\n`)
      return toPairingAnswer(await deviceTools.awaitPairing(pairing))
    },
  )

  adminAction<[device: string]>(
    devices
      .command('allow-pairing')
      .description('allow the pairing of a device whose local ID another account had first')
      .argument('<device>', 'URN')
      .addHelpText(
        'after',
        helpEnd({
          notes:
            "A sensor fetches its tokens by its local ID alone. So a device that was registered without an operator, under a local ID that another account already had, cannot be paired: the other account's sensor might take the tokens, and report to this account. Allow it if you know that this account has a sensor of its own with this local ID.",
          examples: ['posrep-server devices allow-pairing urn:aa:device:acme:roof1'],
        }),
      ),
    async ({ deviceTools }, device) => {
      const allowed = await deviceTools.allowPairing(device)
      return { json: allowed, text: `The device "${allowed.urn}" of the account "${allowed.account}" may be paired` }
    },
  )
}

function toRelayAnswer(device: DeviceView): Answer {
  const { urn, relay } = device
  const text = `The relay of "${urn}" is ${relay?.state}: ${relay?.url}`
  if (relay?.state !== 'Active') return { json: device, text }
  return {
    json: device,
    text: `${text}\nReports are forwarded there from now on; to try it first: posrep-server devices relay test ${urn}`,
  }
}

function toRelayRow({ urn, relay, pending, buried, dropped, lastDroppedAt }: DeviceView): Row {
  return {
    DEVICE: urn,
    RELAY: relay?.url ?? 'none',
    STATE: relay?.state ?? 'none',
    FAILURE: relay?.failureDescription ?? 'none',
    PENDING: String(pending),
    BURIED: String(buried),
    DROPPED: lastDroppedAt === null ? String(dropped) : `${dropped}, the last at ${lastDroppedAt}`,
  }
}

function toTestAnswer(test: RelayTestView): Answer {
  const { urn, url, messageId, accepted, status, durationMilliseconds, reason, advice } = test
  const sent = `one position at 0, 0 with additionalInfo {"test":true}, as ${messageId}, to ${url}`
  if (!accepted) {
    const problem = `The relay of "${urn}" did not accept the test message: ${reason}; ${advice}`
    return { json: test, text: '', problems: [problem, `It was sent ${sent}`] }
  }
  return {
    json: test,
    text: [
      `The relay of "${urn}" accepted the test message: ${status} in ${durationMilliseconds} ms`,
      `It was ${sent}`,
      `To see the reports that follow: posrep-server reports tail --device ${urn}`,
    ].join('\n'),
  }
}

function toPairingAnswer(end: PairingEnd): Answer {
  const { clientUniqueId, state, consumedBy } = end
  if (state === 'consumed' && consumedBy) {
    const { address, userAgent } = consumedBy
    const text = `The device "${clientUniqueId}" got its tokens: from ${address}, with ${userAgent ?? 'software that gives no name'}`
    return { json: end, text }
  }
  return { json: end, text: '', problems: [`The device "${clientUniqueId}" got no tokens: ${whyNone[state]}`] }
}

const whyNone: Record<PairingEnd['state'], string> = {
  consumed: 'another caller got them',
  expired: 'it did not ask for them in time; check that it is on, that it reaches this service, and its local ID',
  cancelled: 'the pairing was cancelled, or started again',
  contested: 'several addresses asked for them',
}
