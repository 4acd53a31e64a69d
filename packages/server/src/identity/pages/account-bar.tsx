/** The top bar of the account's pages: the navigation of the portal, the signed-in user, and Sign out. */
import { SignedIn } from '../../pages/frame/signed-in.tsx'
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
      <SignedIn
        email={user.email}
        accountUrl={accountPath}
        isAccountPage={isAccountPage}
        signOutPath={accountFormPath('sign-out')}
        token={toToken('sign-out')}
      />
    </>
  )
}
