/**
 * The API reference: Swagger UI over this server's own document, without a request to another origin (docs/decisions/0048).
 * In: nothing. Out: a router with the page and the files of Swagger UI, which are read and compressed at the first request.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { type Request, type Response, Router } from 'express'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/layout.tsx'
import { docsScriptPath } from '../../pages/script.ts'
import { SiteNav, sitePaths } from '../../pages/site-nav.tsx'
import { version } from '../../version.ts'

const files = { 'swagger-ui-bundle.js': 'text/javascript; charset=utf-8', 'swagger-ui.css': 'text/css; charset=utf-8' }
type FileName = keyof typeof files

/** The files change with the version of this package only. */
const folder = `/posrep-assets/swagger-ui-${createHash('sha256').update(version).digest('hex').slice(0, 16)}`

export function docsPage(): PageAnswer {
  const body = toHtml(
    <Layout
      title="API reference"
      width="data"
      bar={<SiteNav tab="docs" />}
      head={
        <>
          <link rel="stylesheet" href={`${folder}/swagger-ui.css`} />
          <script defer src={`${folder}/swagger-ui-bundle.js`} />
          <script type="module" src={docsScriptPath} />
        </>
      }
    >
      <h1>API reference</h1>
      <p class="quiet">
        With the origins of this server. For programs: <a href="/openapi.json">openapi.json</a>.
      </p>
      <noscript>
        <p>The reference needs JavaScript. The document itself, openapi.json, does not.</p>
      </noscript>
      <div id="api-reference" class="panel" />
    </Layout>,
  )
  return htmlAnswer(body, { scripted: true })
}

export function createDocs(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const loaded = new Map<FileName, Promise<{ plain: Buffer; brotli: Buffer }>>()

  async function send(name: FileName, request: Request, response: Response): Promise<void> {
    const loading = loaded.get(name) ?? load(name)
    loaded.set(name, loading)
    const { plain, brotli } = await loading
    response.set({
      'Content-Type': files[name],
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
    })
    if (request.acceptsEncodings('br')) response.set('Content-Encoding', 'br').send(brotli)
    else response.send(plain)
  }

  router.get(sitePaths.docs, (_request, response) => {
    const { status, headers, body } = docsPage()
    response.status(status).set(headers).send(body)
  })
  for (const name of Object.keys(files) as FileName[]) {
    router.get(`${folder}/${name}`, (request, response) => send(name, request, response))
  }
  return router
}

/** From the sources, the package is beside them; when published, its files are in `dist/`. */
async function load(name: FileName): Promise<{ plain: Buffer; brotli: Buffer }> {
  const file = import.meta.url.endsWith('.tsx') ? `swagger-ui-dist/${name}` : `#swagger-ui/${name}`
  const plain = await readFile(new URL(import.meta.resolve(file)))
  const brotli = await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
  return { plain, brotli }
}
