/** An unmodified Swagger UI of another origin, which signs in with "Authorize" and sends the token. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { chromiumOptions, testInChromium } from '../../pages/chromium.ts'
import { signInAndApprove } from '../sign-in.ts'
import { aWildApp } from './a-wild-app.ts'
import { aWildBrowser } from './a-wild-browser.ts'

const require = createRequire(import.meta.url)
const folder = dirname(require.resolve('swagger-ui-dist/package.json'))
const files = ['swagger-ui-bundle.js', 'swagger-ui.css', 'oauth2-redirect.html', 'oauth2-redirect.js']
const types = { js: 'text/javascript', css: 'text/css', html: 'text/html' }

testInChromium('"Authorize" ends with a token, and "Execute" sends it', async () => {
  const app = await aWildApp({ path: '/oauth2-redirect.html' })
  const browser = await aWildBrowser(chromiumOptions())
  try {
    app.setHost(({ url = '' }, response) => {
      const file = files.find((name) => url.startsWith(`/${name}`))
      const type = types[file?.split('.').at(-1) as keyof typeof types]
      if (file) response.writeHead(200, { 'content-type': type }).end(readFileSync(join(folder, file)))
      else if (url === '/')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<!doctype html><meta charset="utf-8"><div id="ui"></div>
<script src="/swagger-ui-bundle.js"></script><script>
const ui = SwaggerUIBundle({ url: '${app.server.origin}/openapi.json', dom_id: '#ui', oauth2RedirectUrl: '${app.redirectUri}', validatorUrl: null })
ui.initOAuth({ clientId: '${app.server.options.clientId}', usePkceWithAuthorizationCodeGrant: true, scopes: 'surveillance_api' })
</script>`)
      return file !== undefined || url === '/'
    })
    const { page } = await browser.open(app.origin)
    await page.locator('.auth-wrapper .authorize').first().click()
    const flow = page.locator('.auth-container', { hasText: 'oauth2 (OAuth2, authorizationCode' })
    const opened = page.waitForEvent('popup')
    await flow
      .getByRole('button', { name: 'Apply given OAuth2 credentials' })
      .or(flow.locator('button.authorize'))
      .first()
      .click()
    await signInAndApprove(await opened)
    await flow.getByRole('button', { name: /Logout|Remove authorization/ }).waitFor()
    await page.locator('.close-modal').click()

    await page.locator('#operations-Identity-getMe .opblock-summary-control').click()
    await page.locator('#operations-Identity-getMe .try-out__btn').click()
    const answered = page.waitForResponse((response) => response.url().endsWith('/v1/me'))
    await page.locator('#operations-Identity-getMe .execute').click()

    expect(await (await answered).json()).toMatchObject({ userName: app.server.user.email })
  } finally {
    await browser.close()
    await app.stop()
  }
})
