/** `posrep-agent refused list|resend`: positions that the service refused, with its reason. */

import { withDeadline } from '@posrep/kernel/with-deadline'
import { createAgent } from '../../agent.ts'
import { systemClock } from '../../ports.ts'
import { refusedFile } from '../../refused/refused-file.ts'
import type { CommandDefinition } from '../command.ts'
import { connect } from '../connect/service.ts'
import { toStateFolder } from '../connect/state-folder.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { optionsOf } from '../settings/options.ts'

/** For each position. */
const deadlineMs = 30_000

export const refusedCommand: CommandDefinition = {
  name: 'refused',
  description: 'list the positions that the service refused, or send them again',
  commands: [
    {
      name: 'list',
      description: 'list them, oldest first',
      options: optionsOf.status,
      async run({ settings, output }) {
        const all = await refusedFile(toStateFolder(settings).refused).list()
        const lines = all.map(({ refusedAt, status, reason, pointer, json }) =>
          [refusedAt, status, reason, pointer ?? '', json].join('  '),
        )
        output.result(all.length === 0 ? 'no position was refused' : lines.join('\n'), { refused: all })
        return exitCodes.ok
      },
    },
    {
      name: 'resend',
      description: 'send them again; those that are refused again are listed again',
      options: optionsOf.refused,
      async run({ settings, output }) {
        const { ingestOrigin, sensor, tokens, fetch, state } = connect(settings)
        const refused = refusedFile(state.refused)
        const agent = createAgent({ ingestOrigin, sensor, tokens, fetch, maxDelayMs: 0, onRefused: refused.append })
        const listed = (await refused.list()).length
        let sent = 0
        // Each is sent before the next: one that has an answer is never sent again.
        const resent = await refused.resend(async (json) => {
          await agent.reportJson(json)
          await withDeadline({ clock: systemClock, ms: deadlineMs }, agent.flush).catch((cause) => {
            const { lastFailure } = agent.stats()
            const message = `${sent} of ${listed} sent again, the others stay listed: ${lastFailure?.message ?? 'no answer'}`
            throw new CommandError('unreachable', message, exitCodes.unreachable, { cause })
          })
          sent += 1
        })
        const stats = await agent.close()
        output.result(`${resent} sent again: ${stats.accepted} accepted, ${stats.refused} refused`, {
          resent,
          ...stats,
        })
        return stats.refused + stats.spooled > 0 ? exitCodes.incomplete : exitCodes.ok
      },
    },
  ],
}
