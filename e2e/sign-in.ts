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
  const cookies = new Map<string, string>()

  async function go(address: URL, form?: Record<string, string>): Promise<{ url: URL; html: string }> {
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
    if (location === null) return { url: address, html }
    const next = new URL(location, address)
    return next.href.startsWith(redirectUri) ? { url: next, html: '' } : go(next)
  }

  async function submit(page: { url: URL; html: string }, button: string, fields: Record<string, string>) {
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

  const signIn = await go(new URL(url))
  const approval = await submit(signIn, 'Sign in', { ...person })
  const done = await submit(approval, 'Approve', {})
  return done.url.href
}
