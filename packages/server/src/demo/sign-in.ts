/**
 * Signs in the demo user as a browser would: the authorization code flow, by submitting the forms of the pages. And
 * gets the token of a sensor.
 * In: the origin of the identity provider. Out: tokens for the demo app (RFC 6749 §4.1), and for a sensor of the demo's
 * fleet.
 */
import type { paths, TokenResponse } from '@posrep/spec'
import { demoApp, demoCallback, demoFleet, demoUser } from './demo-seed.ts'

export interface DemoTokens {
  accessToken: string
  refreshToken: string
}

const authorizePath = '/oauth/v2/authorize' satisfies keyof paths
const tokenPath = '/oauth/v2/token' satisfies keyof paths

export async function signIn(origin: URL): Promise<DemoTokens> {
  const browser = createBrowser()
  const query = new URLSearchParams({
    client_id: demoApp.id,
    response_type: 'code',
    scope: 'surveillance_api',
    redirect_uri: demoCallback,
  })
  const signInPage = await browser.open(new URL(`${authorizePath}?${query}`, origin))
  const approvalPage = await browser.submit(signInPage, { ...demoUser, action: 'sign-in' })
  const { url } = await browser.submit(approvalPage, { decision: 'approve' })
  const code = url.searchParams.get('code')
  if (code === null) throw new Error(`The demo's sign-in ended at "${url.origin}${url.pathname}" without a code`)
  return requestTokens(origin, { grant_type: 'authorization_code', code, redirect_uri: demoCallback })
}

export function refresh(origin: URL, { refreshToken }: DemoTokens): Promise<DemoTokens> {
  return requestTokens(origin, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

/** The token of a sensor of the demo's fleet. */
export function requestDeviceToken(origin: URL, localId: string): Promise<DemoTokens> {
  const scope = { scope: 'surveillance_api', token_format: 'jwt' }
  return requestTokens(origin, { grant_type: 'client_credentials', ...scope, device_id: localId }, demoFleet)
}

async function requestTokens(
  origin: URL,
  grant: Record<string, string>,
  { id, secret }: { id: string; secret: string } = demoApp,
): Promise<DemoTokens> {
  const body = new URLSearchParams({ ...grant, client_id: id, client_secret: secret })
  const response = await fetch(new URL(tokenPath, origin), { method: 'POST', body })
  if (!response.ok) throw new Error(`The demo's token request was answered ${response.status}`)
  // The OpenAPI document gives a 200 of the token endpoint this shape.
  const { access_token, refresh_token } = (await response.json()) as TokenResponse
  return { accessToken: access_token, refreshToken: refresh_token ?? '' }
}

interface Page {
  url: URL
  html: string
}

/** The part of a browser that the pages need: cookies, redirects and forms. */
function createBrowser() {
  const cookies = new Map<string, string>()

  async function go(url: URL, form?: URLSearchParams): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, origin: url.origin },
      ...(form && { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const html = await response.text()
    if (location === null) return { url, html }
    const next = new URL(location, url)
    // The redirect to the app's callback has the code; no server answers it.
    return next.href.startsWith(demoCallback) ? { url: next, html: '' } : go(next)
  }

  return {
    open: (url: URL) => go(url),
    submit({ url, html }: Page, fields: Record<string, string>): Promise<Page> {
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      )
      const actions = [...html.matchAll(/<form(?: class="form")? method="post" action="([^"<>]+)"/g)].map(
        ([, action = '']) => action,
      )
      const action = actions.find((path) => path.endsWith('decision' in fields ? 'decision' : 'sign-in')) ?? ''
      return go(new URL(action, url), new URLSearchParams({ ...Object.fromEntries(hidden), ...fields }))
    },
  }
}
