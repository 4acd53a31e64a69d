/** `posrep-server reports buried`, `deliveries buried`: what was set aside with a reason, and the way to take it up again. */
import type { Command } from 'commander'
import type { BuriedAdmin, BuriedView } from '../admin/buried-admin.ts'
import { SettingsError } from '../errors.ts'
import { fromLog } from '../relays/delivery.ts'
import { type Answer, adminAction, toList } from './admin-action.ts'

interface Kind {
  /** Of the command, and of its object. */
  name: 'reports' | 'deliveries'
  description: string
  one: string
  retry: 'retry' | 'resend'
  retryDescription: string
  /** What an entry says, for `--json`. */
  toContent(body: string): Record<string, unknown>
}

const kinds: Kind[] = [
  {
    name: 'reports',
    description: 'accepted reports',
    one: 'report',
    retry: 'retry',
    retryDescription: 'take buried reports through the pipeline again',
    toContent: (report) => ({ report: parse(report) }),
  },
  {
    name: 'deliveries',
    description: 'messages to relays',
    one: 'delivery',
    retry: 'resend',
    retryDescription: 'owe buried deliveries to their relays again',
    toContent(body) {
      const { id, message } = fromLog(body)
      return { webhookId: id, message: parse(message) }
    },
  },
]

export function addBuriedCommands(program: Command): void {
  for (const kind of kinds) addKind(program, kind)
}

function addKind(program: Command, { name, description, one, retry, retryDescription, toContent }: Kind): void {
  const buried = program
    .command(name)
    .description(description)
    .command('buried')
    .description(`${name} that were set aside with a reason; they are kept 30 days`)

  adminAction<[options: { device?: string; limit: string }]>(
    buried
      .command('list')
      .description(`list buried ${name}`)
      .option('--device <URN>', 'of this device only')
      .option('--limit <N>', 'how many', '100'),
    async (administration, { device, limit }) => {
      const { entries, isCut } = await administration[name].list({ device, limit: toWhole('--limit', limit) })
      const { text } = toList(entries, toRow, `No ${one} is buried`)
      const more = isCut ? `\n\nThere are more; --limit ${Number(limit) * 10} shows more of them` : ''
      const json = entries.map(({ body, ...entry }) => ({ ...entry, ...toContent(body) }))
      return { json, text: `${text}${more}` }
    },
  )

  adminAction<[ids: string[], options: { device?: string; all?: boolean }]>(
    buried
      .command(retry)
      .description(retryDescription)
      .argument('[ids...]', 'ids of the list')
      .option('--all', 'all that are buried')
      .option('--device <URN>', 'all of this device')
      .addHelpText('after', `\nExample: posrep-server ${name} buried ${retry} --all`),
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
    throw new SettingsError(`Say which ${name}: their ids, or --all, or --device with its URN`)
  }
  const taken = ids.length > 0 ? await admin.retry(ids.map((id) => toWhole('An id', id))) : await admin.retryAll(device)
  return { json: { taken }, text: `${taken} ${name} taken up again` }
}

function toRow({ id, device, since, buriedAt, reason }: BuriedView) {
  return { ID: String(id), DEVICE: device, SINCE: since, BURIED: buriedAt, REASON: reason }
}

function toWhole(what: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new SettingsError(`${what} must be a whole number of at least 1, got "${text}"`)
}

/** What was buried because it is no JSON is shown as it is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the text itself tells why it was buried.
    return text
  }
}
