/** The top bar of every page of the portal: navigation, the signed-in user if there is one, and Sign out. */
import { toVisible } from '@posrep/kernel/visible'
import { SiteNav, type SiteTab } from '../../pages/frame/site-nav.tsx'
import { signOutPath } from './paths.ts'
import { FormToken, type Viewer } from './viewer.tsx'

export function PortalBar({ viewer, tab }: { viewer: Viewer | undefined; tab?: SiteTab }) {
  return (
    <>
      <SiteNav tab={tab} />
      {viewer && (
        <div class="whoami">
          <a href={viewer.accountUrl}>
            <bdi>{toVisible(viewer.email)}</bdi>
          </a>
          <form method="post" action={signOutPath}>
            <FormToken viewer={viewer} purpose="sign-out" />
            <button type="submit" class="link">
              Sign out
            </button>
          </form>
        </div>
      )}
    </>
  )
}
