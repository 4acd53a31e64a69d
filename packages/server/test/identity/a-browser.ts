/** Serves the pages over real HTTP to a test browser that stores cookies and submits forms, without JavaScript. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { onTestFinished } from 'vitest'
import { pilot, type TestIdentity } from './an-identity.ts'

export interface Page {
  status: number
  url: string
  headers: Headers
  html: string
  /** The target, if the answer is a redirect. */
  location: URL | undefined
}

export const authorizationRequest = {
  client_id: 'map-view',
  response_type: 'code',
  scope: 'surveillance_api',
  redirect_uri: 'https://app.example/callback',
  state: 'b7f3',
}

/** Serves authorize and the pages; returns the origin. */
export async function serve({ operations, pages }: Pick<TestIdentity, 'operations' | 'pages'>): Promise<string> {
  const app = express()
  // So that each browser can have its own address.
  app.set('trust proxy', true)
  app.use(pages)
  app.get('/oauth/v2/authorize', async (request, response) => {
    const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
    const { headers } = request
    const answer = await operations.authorize({ search, headers, address: '', path: {}, query: {}, body: {} } as never)
    response.status(answer.status).set(answer.headers)
    response.end(answer.body)
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** @param fetch A fetch that trusts the server's certificate. */
export function aBrowser(
  origin: string,
  headers: Record<string, string> = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
) {
  const cookies = new Map<string, string>()

  async function load(path: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const url = new URL(path, origin)
    const response = await fetch(url.href, {
      redirect: 'manual',
      ...init,
      headers: { ...headers, ...(cookie && { cookie }), ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/Max-Age=0/.test(line)) cookies.delete(name)
      else cookies.set(name, pair.slice(name.length + 1))
    }
    const location = response.headers.get('location')
    return {
      status: response.status,
      url: url.href,
      headers: response.headers,
      html: await response.text(),
      location: location === null ? undefined : new URL(location, origin),
    }
  }

  function get(path: string): Promise<Page> {
    return load(path)
  }

  function post(path: string, fields: Record<string, string> | string): Promise<Page> {
    return load(path, { method: 'POST', body: new URLSearchParams(fields) })
  }

  /** Submits a page's form with the typed text, its hidden fields and the pressed button. */
  function press(page: Page, button: string, typed: Record<string, string> = {}): Promise<Page> {
    const form = formWith(page, button)
    return post(form.action, { ...form.hidden, ...typed, ...form.button })
  }

  async function follow(page: Page): Promise<Page> {
    if (!page.location) throw new Error(`${page.url} answered ${page.status}, no redirect`)
    return get(page.location.href)
  }

  return {
    cookies,
    get,
    post,
    press,
    follow,
    authorize: (parameters: Record<string, string | undefined> = {}) => get(authorizePath(parameters)),
    /** Signs in on a sign-in page and follows to the next one. */
    async signIn(page: Page, typed: Record<string, string> = pilot): Promise<Page> {
      const { email = '', password = '' } = typed
      return follow(await press(page, 'Sign in', { email, password }))
    },
    /** Signs in for the account page and returns it. */
    async openAccount(typed: Record<string, string> = pilot): Promise<Page> {
      return this.signIn(await follow(await get('/account')), typed)
    },
    /** Follows a link of a page. */
    click(page: Page, link: string): Promise<Page> {
      const href = new RegExp(`<a[^>]*href="([^"]*)"[^>]*(?:aria-label="${link}"[^>]*>|>${link}</a>)`).exec(
        page.html,
      )?.[1]
      if (href === undefined) throw new Error(`No link "${link}":\n${page.html}`)
      return get(href.replaceAll('&amp;', '&'))
    },
    /** Runs the whole sign-in and approval; returns the redirect to the client. */
    async approve(parameters: Record<string, string | undefined> = {}): Promise<URL> {
      const first = await get(authorizePath(parameters))
      const page = first.html.includes('Approve') ? first : await this.signIn(first)
      const { location } = await press(page, 'Approve')
      if (!location) throw new Error('The approval did not redirect')
      return location
    },
  }
}

export function authorizePath(parameters: Record<string, string | undefined> = {}): string {
  const sent = Object.entries({ ...authorizationRequest, ...parameters }).filter(([, value]) => value !== undefined)
  return `/oauth/v2/authorize?${new URLSearchParams(sent as [string, string][])}`
}

export function formWith({ html }: Page, button: string) {
  const form = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(([, , inner = '']) =>
    inner.includes(`>${button}</button>`),
  )
  if (!form) throw new Error(`No form has the button "${button}":\n${html}`)
  const [, action = '', inner = ''] = form
  const hidden = [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const pressed = new RegExp(`<button([^>]*)>${button}</button>`).exec(inner)?.[1] ?? ''
  const name = /name="([^"]*)"/.exec(pressed)?.[1]
  const value = /value="([^"]*)"/.exec(pressed)?.[1] ?? ''
  return {
    action,
    hidden: Object.fromEntries(hidden.map(([, key, content]) => [key, content])) as Record<string, string>,
    button: name === undefined ? {} : { [name]: value },
  }
}
