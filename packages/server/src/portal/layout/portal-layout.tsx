/** The layout of the portal's pages: navigation, the signed-in user, and Sign out. */

import { toVisible } from '@posrep/kernel/visible'
import type { ComponentChildren } from 'preact'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import { SiteNav, type SiteTab } from '../../pages/frame/site-nav.tsx'
import { createLiveParts, type LiveParts, LivePartsProvider } from '../../pages/live.tsx'
import { signOutPath } from './paths.ts'

/** What every page needs to know of the signed-in user. */
export interface Viewer {
  email: string
  nowMs: number
  /** The user's account page at the identity provider. */
  accountUrl: string
  /** The form token for a purpose. */
  toToken(purpose: string): string
}

export interface PortalLayoutProps {
  viewer: Viewer
  title: string
  /** The current tab of the navigation. */
  tab: SiteTab
  width?: 'narrow' | 'data' | 'full'
  /** The event stream with the changes of the page's live parts. */
  livePath?: string
  hasCharts?: boolean
  /** More elements of the head. */
  head?: ComponentChildren
  /** The origin of map tiles. */
  imageOrigin?: string | undefined
  /** Reload interval for browsers without scripts. */
  reloadSeconds?: number
  children: ComponentChildren
}

/** A page of the portal, and its live parts. */
export interface PortalPage extends PageAnswer {
  live: LiveParts
}

function PortalLayout({ viewer, title, tab, width = 'data', livePath, children, ...rest }: PortalLayoutProps) {
  return (
    <Layout
      {...rest}
      title={title}
      width={width}
      scripted
      nowMs={viewer.nowMs}
      bar={
        <>
          <SiteNav tab={tab} />
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
        </>
      }
    >
      {livePath !== undefined && (
        <p class="stale" id="live-source" data-found data-live-source={livePath} role="status" hidden>
          The connection to the server is lost. This page shows the state of <span data-live-since /> and updates when
          the connection is back.
        </p>
      )}
      {children}
      {/* What a form has done that was sent in the background. */}
      <p class="notice said" role="status" data-said-notice />
    </Layout>
  )
}

export function FormToken({ viewer, purpose }: { viewer: Viewer; purpose: string }) {
  return <input type="hidden" name="form_token" value={viewer.toToken(purpose)} />
}

export function portalPage(props: PortalLayoutProps, status: PageAnswer['status'] = 200): PortalPage {
  const live = createLiveParts()
  const html = toHtml(
    <LivePartsProvider value={live}>
      <PortalLayout {...props} />
    </LivePartsProvider>,
  )
  // Sign-out continues at the identity provider, which may have another origin.
  const formAction = new URL(props.viewer.accountUrl).origin
  return { ...htmlAnswer(html, { status, scripted: true, formAction, imageOrigin: props.imageOrigin }), live }
}
