/** Reads secrets from standard input or from the terminal without echo, so that the process list does not show them. */
import { password as ask, isCancel } from '@clack/prompts'
import { SettingsError } from '../errors.ts'

/** Reads one line, without its line break. @throws SettingsError when there is none, or more than one. */
export async function readSecret(flag: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const [line = '', ...rest] = Buffer.concat(chunks).toString('utf8').split(/\r?\n/)
  if (line === '' || rest.some((text) => text !== '')) {
    throw new SettingsError(`${flag} takes one line from standard input, got ${line === '' ? 'nothing' : 'several'}`)
  }
  return line
}

/** Asks twice on a terminal. @throws SettingsError without a terminal, and when the user cancels. */
export async function readPassword(fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin) return readSecret('--password-stdin')
  if (!process.stdin.isTTY) {
    throw new SettingsError('There is no terminal to ask for the password; give --password-stdin and one line of input')
  }
  const password = await askOnce('Password')
  if (password !== (await askOnce('Repeat the password')))
    throw new SettingsError('The two passwords differ; nothing was changed')
  return password
}

async function askOnce(message: string): Promise<string> {
  // Standard output is for the result of the command.
  const answer = await ask({ message, output: process.stderr })
  if (isCancel(answer)) throw new SettingsError('No password was given; nothing was changed')
  return answer ?? ''
}
