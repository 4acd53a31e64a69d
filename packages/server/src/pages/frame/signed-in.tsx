/** The signed-in user in the top bar, with a link to the account, and Sign out. */
import { toVisible } from '@posrep/kernel/visible'

export interface SignedInProps {
  email: string
  accountUrl: string
  isAccountPage?: boolean
  signOutPath: string
  /** The form token of signing out. */
  token: string
}

export function SignedIn({ email, accountUrl, isAccountPage = false, signOutPath, token }: SignedInProps) {
  return (
    <div class="whoami">
      <a href={accountUrl} aria-current={isAccountPage ? 'page' : undefined}>
        <bdi>{toVisible(email)}</bdi>
      </a>
      <form method="post" action={signOutPath}>
        <input type="hidden" name="form_token" value={token} />
        <button type="submit" class="link">
          Sign out
        </button>
      </form>
    </div>
  )
}
