/**
 * Passwords that attackers try first, because many people have them (NIST SP 800-63B §3.1.1.2).
 * In: a password. Out: whether the list of `@zxcvbn-ts/language-common` has it. The list is loaded when it is first
 * needed: it has 50,000 entries, of which a third are long enough to be passwords here.
 */
import { minPasswordLength } from './password.ts'

let loading: Promise<ReadonlySet<string>> | undefined

export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= load()
  // The list is in lower case.
  return (await loading).has(password.normalize('NFKC').toLowerCase())
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const passwords: readonly string[] = dictionary['passwords-common']
  return new Set(
    passwords.map((password) => password.toLowerCase()).filter(({ length }) => length >= minPasswordLength),
  )
}
