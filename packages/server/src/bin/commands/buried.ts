/** `posrep-server reports buried` and `deliveries buried`: list the buried entries of a log and retry them. */
import { helpEnd } from '@posrep/kernel/help'
import type { Command } from 'commander'
import type { BuriedAdmin, BuriedView } from '../../admin/buried-admin.ts'
import { SettingsError } from '../../errors.ts'
import { fromLog } from '../../relays/deliveries/delivery.ts'
import { type Answer, adminAction, toList } from '../admin-action.ts'
import { addTailCommand } from './tail.ts'

interface Kind {
  /** The name of the command, and of the member of the administration. */
  name: 'reports' | 'deliveries'
  description: string
  singular: string
  retry: 'retry' | 'resend'
  retryDescription: string
  /** The parsed body of an entry, for `--json`. */
  toContent(body: string): Record<string, unknown>
}

const kinds: Kind[] = [
  {
    name: 'reports',
    description: 'follow reports; list and retry those that could not be processed',
    singular: 'report',
    retry: 'retry',
    retryDescription: 'process buried reports again',
    toContent: (report) => ({ report: parse(report) }),
  },
  {
    name: 'deliveries',
    description: 'list and resend messages that relays did not accept',
    singular: 'delivery',
    retry: 'resend',
    retryDescription: 'queue buried deliveries for their relays again',
    toContent(body) {
      const { id, message } = fromLog(body)
      return { webhookId: id, message: parse(message) }
    },
  },
]

export function addBuriedCommands(program: Command): void {
  for (const kind of kinds) addKind(program, kind)
}

function addKind(program: Command, { name, description, singular, retry, retryDescription, toContent }: Kind): void {
  const group = program.command(name).description(description)
  if (name === 'reports') addTailCommand(group)
  const buried = group
    .command('buried')
    .description(`manage buried ${name}: ${name} that were set aside with a reason and are kept for 30 days`)

  adminAction<[options: { device?: string; limit: string }]>(
    buried
      .command('list')
      .description(`list buried ${name}`)
      .option('--device <URN>', 'only those of this device')
      .option('--limit <N>', 'maximum number', '100'),
    async (administration, { device, limit }) => {
      const { entries, isCut } = await administration[name].list({ device, limit: toWhole('--limit', limit) })
      const { text } = toList(entries, toRow, `No ${singular} is buried`)
      const more = isCut ? `\n\nThere are more; to see them: --limit ${Number(limit) * 10}` : ''
      const json = entries.map(({ body, ...entry }) => ({ ...entry, ...toContent(body) }))
      return { json, text: `${text}${more}` }
    },
  )

  adminAction<[ids: string[], options: { device?: string; all?: boolean }]>(
    buried
      .command(retry)
      .description(retryDescription)
      .argument('[ids...]', 'ids from the list')
      .option('--all', 'all buried entries')
      .option('--device <URN>', 'all buried entries of this device')
      .addHelpText('after', helpEnd({ examples: [`posrep-server ${name} buried ${retry} --all`] })),
    (administration, ids, options) => retryEntries(administration[name], name, ids, options),
  )
}

async function retryEntries(
  admin: BuriedAdmin,
  name: string,
  ids: string[],
  { device, all }: { device?: string; all?: boolean },
): Promise<Answer> {
  if (ids.length > 0 === (all === true || device !== undefined)) {
    throw new SettingsError(
      `Give the ${name} by their ids, by --all or by --device URN, got ${ids.length > 0 ? 'several of these' : 'none of these'}`,
    )
  }
  const taken = ids.length > 0 ? await admin.retry(ids.map((id) => toWhole('An id', id))) : await admin.retryAll(device)
  return { json: { taken }, text: `Queued ${taken} ${name} again` }
}

function toRow({ id, device, since, buriedAt, reason }: BuriedView) {
  return { ID: String(id), DEVICE: device, SINCE: since, BURIED: buriedAt, REASON: reason }
}

function toWhole(what: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new SettingsError(`${what} must be a whole number of at least 1, got "${text}"`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An entry may be buried because it is not JSON: show the text.
    return text
  }
}
