/** Secrets from where the process list does not show them: standard input, or the keyboard without an echo. */
import { password as ask, isCancel } from '@clack/prompts'
import { SettingsError } from '../errors.ts'

/** The first line, without its end. @throws SettingsError when there is nothing. */
export async function readSecret(flag: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const [line = '', ...rest] = Buffer.concat(chunks).toString('utf8').split(/\r?\n/)
  if (line === '' || rest.some((text) => text !== '')) {
    throw new SettingsError(`${flag} takes one line from standard input, got ${line === '' ? 'nothing' : 'several'}`)
  }
  return line
}

/** Asks twice on a terminal. @throws SettingsError where there is none, and when nobody answers. */
export async function readPassword(fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin) return readSecret('--password-stdin')
  if (!process.stdin.isTTY) {
    throw new SettingsError('There is no terminal to ask for the password; give --password-stdin and one line of input')
  }
  const password = await askOnce('Password')
  if (password !== (await askOnce('The same again')))
    throw new SettingsError('The two passwords differ; nothing is changed')
  return password
}

async function askOnce(message: string): Promise<string> {
  // Standard output is for the answer.
  const answer = await ask({ message, output: process.stderr })
  if (isCancel(answer)) throw new SettingsError('No password was given; nothing is changed')
  return answer ?? ''
}
