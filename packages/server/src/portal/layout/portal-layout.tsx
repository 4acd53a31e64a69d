/** The layout of the portal's pages: navigation, the signed-in user, and Sign out. */
import type { ComponentChildren } from 'preact'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/layout.tsx'
import { toVisible } from '../../visible.ts'
import { devicesPath, pairingStartPath, sensorsPath, signOutPath } from './paths.ts'
import { portalScriptPath } from './script.ts'

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
  tab: 'devices' | 'pairing' | 'sensors'
  width?: 'narrow' | 'data'
  /** The event stream that announces changes of the page. */
  livePath?: string
  /** Reload interval for browsers without scripts. */
  reloadSeconds?: number
  children: ComponentChildren
}

const tabs = [
  { name: 'devices', path: devicesPath, label: 'Devices' },
  { name: 'pairing', path: pairingStartPath, label: 'Pair' },
  { name: 'sensors', path: sensorsPath, label: 'Register' },
] as const

function PortalLayout({ viewer, title, tab, width = 'data', livePath, reloadSeconds, children }: PortalLayoutProps) {
  return (
    <Layout
      title={title}
      width={width}
      scriptPath={portalScriptPath}
      {...(reloadSeconds !== undefined && { reloadSeconds })}
      bar={
        <>
          <nav aria-label="Portal">
            <ul class="tabs">
              {tabs.map(({ name, path, label }) => (
                <li key={name}>
                  <a href={path} aria-current={tab === name ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
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
        <p class="stale" data-live-source={livePath} role="status" hidden>
          The connection to the server is lost. This page shows the state of <span data-live-since /> and updates when
          the connection is back.
        </p>
      )}
      {children}
    </Layout>
  )
}

export function FormToken({ viewer, purpose }: { viewer: Viewer; purpose: string }) {
  return <input type="hidden" name="form_token" value={viewer.toToken(purpose)} />
}

export function portalPage(props: PortalLayoutProps, status: PageAnswer['status'] = 200): PageAnswer {
  return htmlAnswer(toHtml(<PortalLayout {...props} />), { status, scripted: true })
}
