/** Makes token responses announce a lifetime. In: a browser, seconds. The server accepts the tokens for longer. */
import type { Browser } from './a-browser.ts'

export async function announceLifetime({ app, context }: Browser, seconds: number): Promise<void> {
  await context.route(`${app.server.origin}/oauth/v2/token`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), expires_in: seconds } })
  })
}
