/** The top bar of the account's pages: the navigation of the portal, the signed-in user, and Sign out. */
import { toVisible } from '@posrep/kernel/visible'
import { SiteNav } from '../../pages/frame/site-nav.tsx'
import type { User } from '../../ports/storage/directory.ts'
import { accountFormPath, accountPath } from './paths.ts'

export interface AccountBarProps {
  user: User
  toToken(purpose: string): string
  /** The origin of the portal. */
  uiOrigin: string
  /** It is the account page itself. */
  isAccountPage?: boolean
}

export function AccountBar({ user, toToken, uiOrigin, isAccountPage = false }: AccountBarProps) {
  return (
    <>
      <SiteNav uiOrigin={uiOrigin} />
      <div class="whoami">
        <a href={accountPath} aria-current={isAccountPage ? 'page' : undefined}>
          <bdi>{toVisible(user.email)}</bdi>
        </a>
        <form method="post" action={accountFormPath('sign-out')}>
          <input type="hidden" name="form_token" value={toToken('sign-out')} />
          <button type="submit" class="link">
            Sign out
          </button>
        </form>
      </div>
    </>
  )
}
