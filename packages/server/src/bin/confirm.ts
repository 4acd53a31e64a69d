/**
 * Asks before a change that cannot be undone.
 * In: what the change does. Out: nothing when the person agrees, or when there is no terminal to ask at, so that
 * scripts run as before.
 */
import { confirm, isCancel } from '@clack/prompts'
import { toVisible } from '@posrep/kernel/visible'
import type { Command } from 'commander'
import { AdminError } from '../admin/admin-error.ts'

export function addYesOption(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation on a terminal')
}

/** @throws AdminError when the person does not agree */
export async function confirmOnTerminal(command: Command, question: string): Promise<void> {
  if (command.getOptionValue('yes') === true || !process.stdin.isTTY || !process.stderr.isTTY) return
  // Standard output is for the result of the command.
  const answer = await confirm({ message: toVisible(question), initialValue: false, output: process.stderr })
  if (isCancel(answer) || !answer) throw new AdminError('declined', 'Nothing was changed')
}
