/** Simulates a browser with cookies, redirects and forms: signs in, approves, and returns the callback. */
import type { StartedLogin } from '@posrep/client-sdk'

export interface Person {
  email: string
  password: string
}

/** Returns the URL of the app's callback. */
export async function signInAndApprove(
  { url }: Pick<StartedLogin, 'url'>,
  person: Person,
  redirectUri: string,
): Promise<string> {
  const { go, submit } = aBrowser((next) => next.href.startsWith(redirectUri))
  const approval = await submit(await go(new URL(url)), 'Sign in', { ...person })
  const done = await submit(approval, 'Approve', {})
  return done.url.href
}

export interface Page {
  url: URL
  status: number
  html: string
}

/** @param isEnd Redirects to such a URL are not followed. Default: all are. */
export function aBrowser(isEnd: (next: URL) => boolean = () => false) {
  const cookies = new Map<string, string>()

  async function go(address: URL, form?: Record<string, string>): Promise<Page> {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), origin: address.origin },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const html = await response.text()
    const location = response.headers.get('location')
    if (location === null) return { url: address, status: response.status, html }
    const next = new URL(location, address)
    return isEnd(next) ? { url: next, status: response.status, html: '' } : go(next)
  }

  async function submit(page: Page, button: string, fields: Record<string, string>): Promise<Page> {
    const form =
      page.html.match(/<form[\s\S]*?<\/form>/g)?.find((candidate) => candidate.includes(`>${button}</button>`)) ?? ''
    const action = /action="([^"]+)"/.exec(form)?.[1]
    if (action === undefined) throw new Error(`No form with the button "${button}" on ${page.url}:\n${page.html}`)
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ])
    const pressed = new RegExp(`name="([^"]+)" value="([^"]+)"[^>]*>${button}<`).exec(form) ?? []
    return go(new URL(action, page.url), {
      ...Object.fromEntries(hidden),
      ...fields,
      [pressed[1] ?? 'button']: pressed[2] ?? '',
    })
  }

  return { go, submit, cookies }
}
