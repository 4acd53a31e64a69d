/** The top bar of every page of the portal: navigation, the signed-in user if there is one, and Sign out. */
import { SignedIn } from '../../pages/frame/signed-in.tsx'
import { SiteNav, type SiteTab } from '../../pages/frame/site-nav.tsx'
import { signOutPath } from './paths.ts'
import type { Viewer } from './viewer.tsx'

export function PortalBar({ viewer, tab }: { viewer: Viewer | undefined; tab?: SiteTab }) {
  return (
    <>
      <SiteNav tab={tab} />
      {viewer && (
        <SignedIn
          email={viewer.email}
          accountUrl={viewer.accountUrl}
          signOutPath={signOutPath}
          token={viewer.toToken('sign-out')}
        />
      )}
    </>
  )
}
