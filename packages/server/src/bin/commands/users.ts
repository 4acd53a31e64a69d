/** `posrep-server users`: manages the people who sign in. */
import { helpEnd } from '@posrep/kernel/help'
import type { Command } from 'commander'
import { readEntry } from '../../admin/entries.ts'
import type { UserView } from '../../admin/views.ts'
import { type Answer, adminAction, toList } from '../admin-action.ts'
import { readPassword } from '../secret-input.ts'

interface PasswordOptions {
  passwordStdin?: boolean
}

const flags = { email: 'The e-mail address', password: 'The password', account: '--account' }

export function addUserCommands(program: Command): void {
  const users = program.command('users').description('manage the people who sign in')
  const onUser = (name: string, description: string) =>
    users.command(name).description(description).argument('<email>', 'e-mail address of the user')
  const stdinOption = ['--password-stdin', 'read the password from one line of standard input'] as const

  adminAction<[email: string, options: PasswordOptions & { account: string }]>(
    onUser('add', 'add a user; asks for the password')
      .requiredOption('--account <ID>', 'account of the user')
      .option(...stdinOption)
      .addHelpText('after', helpEnd({ examples: ['posrep-server users add pilot@example.com --account acme'] })),
    async ({ users }, email, { account, passwordStdin }) => {
      // Checks the other arguments before it asks for the password.
      readEntry('user', { email, account, password: '*'.repeat(8) }, flags)
      const password = await readPassword(passwordStdin)
      const user = await users.add(readEntry('user', { email, account, password }, flags))
      return changed(`Added the user "${user.email}" to the account "${user.account}"`, user)
    },
  )

  adminAction<[options: { account?: string }]>(
    users.command('list').description('list the users').option('--account <ID>', 'only those of this account'),
    async ({ users }, { account }) =>
      toList(
        await users.list({ account }),
        ({ email, account, disabled }) => ({
          'E-MAIL': email,
          ACCOUNT: account,
          STATE: disabled ? 'disabled' : 'enabled',
        }),
        'There are no users; to add one: posrep-server users add pilot@example.com --account acme',
      ),
  )

  adminAction<[email: string]>(
    onUser('disable', 'revoke the sessions and tokens of a user and refuse to sign the user in'),
    async ({ users }, email) => changed(`Disabled the user "${email}"`, await users.disable(email)),
  )

  adminAction<[email: string]>(onUser('enable', 'allow a disabled user to sign in again'), async ({ users }, email) =>
    changed(`Enabled the user "${email}"`, await users.enable(email)),
  )

  adminAction<[email: string, options: PasswordOptions]>(
    onUser('set-password', 'set a new password and revoke the sessions and tokens of the user').option(...stdinOption),
    async ({ users }, email, { passwordStdin }) => {
      const given = await readPassword(passwordStdin)
      // `readEntry` needs an account; any valid id passes.
      const { password } = readEntry('user', { email, account: 'any', password: given }, flags)
      return changed(`Set the password of the user "${email}"`, await users.setPassword(email, password))
    },
  )

  adminAction<[email: string]>(
    onUser('reset-link', 'print a link with which the user sets a new password, once, within an hour').addHelpText(
      'after',
      helpEnd({
        examples: ['posrep-server users reset-link pilot@example.com \\\n  --auth-origin https://localhost:8443'],
      }),
    ),
    async ({ users }, email) => {
      const link = await users.resetLink(email)
      return {
        json: link,
        text: `${link.url}\nSend it to "${link.email}". It works once, until ${link.expiresAt}, and ends all other sessions`,
      }
    },
    { settings: ['authOrigin'] },
  )

  adminAction<[email: string, options: { account: string }]>(
    onUser('move', 'move a user to another account and revoke the tokens of the user').requiredOption(
      '--account <ID>',
      'new account',
    ),
    async ({ users }, email, { account }) =>
      changed(`Moved the user "${email}" to the account "${account}"`, await users.move(email, account)),
  )

  adminAction<[email: string]>(
    onUser('remove', 'delete a user; revokes the sessions and tokens, and deletes the approvals'),
    async ({ users }, email) => changed(`Removed the user "${email}"`, await users.remove(email)),
    { confirm: (email) => `Remove the user "${email}"? Sessions, tokens and approvals end` },
  )
}

function changed(text: string, user: UserView): Answer {
  return { json: user, text }
}
