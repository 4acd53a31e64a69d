/** The layout of the portal's pages. */
import type { ComponentChildren } from 'preact'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import type { SiteTab } from '../../pages/frame/site-nav.tsx'
import { createLiveParts, type LiveParts, LivePartsProvider } from '../../pages/live.tsx'
import { PortalBar } from './portal-bar.tsx'
import { toFormAction, type Viewer } from './viewer.tsx'

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
      bar={<PortalBar viewer={viewer} tab={tab} />}
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

export function portalPage(props: PortalLayoutProps, status: PageAnswer['status'] = 200): PortalPage {
  const live = createLiveParts()
  const html = toHtml(
    <LivePartsProvider value={live}>
      <PortalLayout {...props} />
    </LivePartsProvider>,
  )
  const formAction = toFormAction(props.viewer)
  return { ...htmlAnswer(html, { status, scripted: true, formAction, imageOrigin: props.imageOrigin }), live }
}
