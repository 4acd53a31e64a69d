/** The frame of the portal's pages: where one can go, who is signed in, the way out. */
import type { ComponentChildren } from 'preact'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/layout.tsx'
import { devicesPath, pairingStartPath, sensorsPath, signOutPath } from './paths.ts'
import { portalScriptPath } from './script.ts'

/** What every page of a signed-in user is shown with. */
export interface Viewer {
  email: string
  nowMs: number
  /** Where this user's account is: at the identity provider. */
  accountUrl: string
  toToken(purpose: string): string
}

export interface FrameProps {
  viewer: Viewer
  title: string
  /** The page that one is on. */
  at: 'devices' | 'pairing' | 'sensors' | null
  width?: 'narrow' | 'data'
  /** Where the page hears that something changed. */
  livePath?: string
  /** Without a script. */
  reloadSeconds?: number
  children: ComponentChildren
}

const places = [
  { name: 'devices', path: devicesPath, label: 'Devices' },
  { name: 'pairing', path: pairingStartPath, label: 'Pair' },
  { name: 'sensors', path: sensorsPath, label: 'Register' },
] as const

function Frame({ viewer, title, at, width = 'data', livePath, reloadSeconds, children }: FrameProps) {
  return (
    <Layout
      title={title}
      width={width}
      scriptPath={portalScriptPath}
      {...(reloadSeconds !== undefined && { reloadSeconds })}
      bar={
        <>
          <nav aria-label="Portal">
            <ul class="places">
              {places.map(({ name, path, label }) => (
                <li key={name}>
                  <a href={path} aria-current={at === name ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div class="whoami">
            <a href={viewer.accountUrl}>
              <bdi>{viewer.email}</bdi>
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
          The live link is lost. What you see is from <span data-live-since /> and is not brought up to date until the
          link is back.
        </p>
      )}
      {children}
    </Layout>
  )
}

export function FormToken({ viewer, purpose }: { viewer: Viewer; purpose: string }) {
  return <input type="hidden" name="form_token" value={viewer.toToken(purpose)} />
}

export function framed(props: FrameProps, status: PageAnswer['status'] = 200): PageAnswer {
  return htmlAnswer(toHtml(<Frame {...props} />), { status, scripted: true })
}
