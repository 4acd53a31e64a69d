/**
 * Does what a person does on the sign-in pages: signs in and approves.
 * In: the URL of a started sign-in, and the person. Out: the URL of the app's callback.
 */
export interface Person {
  email: string
  password: string
}

export async function signInOnPages(url: string, { email, password }: Person, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  const signInPage = await go(new URL(url))
  const approvalPage = await submit(signInPage, { email, password, action: 'sign-in' })
  const { address } = approvalPage.html === '' ? approvalPage : await submit(approvalPage, { decision: 'approve' })
  return address.href

  async function go(address: URL, form?: Record<string, string>): Promise<{ address: URL; html: string }> {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; '), origin: address.origin },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const html = await response.text()
    const location = response.headers.get('location')
    if (location === null) return { address, html }
    const next = new URL(location, address)
    return next.href.startsWith(redirectUri) ? { address: next, html: '' } : go(next)
  }

  function submit({ address, html }: { address: URL; html: string }, fields: Record<string, string>) {
    const action = /<form(?: class="form")? method="post" action="([^"<>]+)"/.exec(html)?.[1]
    if (action === undefined) throw new Error(`No form at ${address.href}:\n${html}`)
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
    return go(new URL(action.replaceAll('&amp;', '&'), address), { form_token: token, ...fields })
  }
}
