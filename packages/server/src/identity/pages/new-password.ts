/** Why a new password is refused, as a part of a sentence. */
import { isCommonPassword } from '../people/common-passwords.ts'
import { isPasswordLength, maxPasswordLength, minPasswordLength } from '../people/password.ts'

export type NewPasswordProblem = 'wrong-length' | 'common'

export const newPasswordProblems: Record<NewPasswordProblem, string> = {
  'wrong-length': `a password must have ${minPasswordLength} to ${maxPasswordLength} characters`,
  common: 'many people have this password, so attackers try it first; choose another one',
}

export async function findNewPasswordProblem(password: string): Promise<NewPasswordProblem | undefined> {
  if (!isPasswordLength(password)) return 'wrong-length'
  return (await isCommonPassword(password)) ? 'common' : undefined
}
