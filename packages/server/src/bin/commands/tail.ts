/** `posrep-server reports tail`: prints new reports until Ctrl+C, or until the reader closes the pipe. */
import { once } from 'node:events'
import { helpEnd } from '@posrep/kernel/help'
import { toVisible, toVisibleJson } from '@posrep/kernel/visible'
import type { Command } from 'commander'
import type { FeedReport } from '../../ports/storage/report-feed.ts'
import { adminAction } from '../admin-action.ts'

export function addTailCommand(reports: Command): void {
  adminAction<[options: { device?: string; json?: boolean }]>(
    reports
      .command('tail')
      .description('print new reports, one line each, until Ctrl+C; with --json one JSON object per line')
      .option('--device <DEVICE>', 'only those of this device: URN or local ID')
      .addHelpText(
        'after',
        helpEnd({
          notes: 'Only reports that are stored are seen: not those of a device whose user has switched storage off.',
        }),
      ),
    async ({ deviceTools }, { device, json }) => {
      const ending = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
      for await (const report of deviceTools.followReports({ device, signal: ending.signal })) {
        if (!process.stdout.write(`${json ? toVisibleJson(toJson(report)) : toLine(report)}\n`))
          await once(process.stdout, 'drain')
        if (ending.signal.aborted) break
      }
      return { json: undefined, text: '' }
    },
  )
}

function toJson({ deviceUrn: urn, receivedAtMs, positions, tags, report }: FeedReport): string {
  const head = JSON.stringify({ urn, receivedAt: toTime(receivedAtMs), positions, tags })
  // As it was submitted, on one line: between its tokens, JSON may have line breaks; its strings have none.
  return `${head.slice(0, -1)},"report":${report.replaceAll(/[\r\n]+/g, ' ')}}`
}

function toLine({ deviceUrn, receivedAtMs, positions, tags }: FeedReport): string {
  const count = positions === 1 ? '1 position' : `${positions} positions`
  return toVisible([toTime(receivedAtMs), deviceUrn, count, ...tags].join('  '))
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}
