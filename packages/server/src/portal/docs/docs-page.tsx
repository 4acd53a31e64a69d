/**
 * The API reference: Swagger UI over this server's own document, without a request to another origin (docs/decisions/0048).
 * In: nothing. Out: a router with the page and the files of Swagger UI, which are compressed at their first request.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { Router } from 'express'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import { SiteNav, sitePaths } from '../../pages/frame/site-nav.tsx'
import { docsScriptPath } from '../../pages/script.ts'

interface SwaggerFile {
  path: string
  type: string
  plain: Buffer
}

function docsPage(script: SwaggerFile, styles: SwaggerFile): PageAnswer {
  const body = toHtml(
    <Layout
      title="API reference"
      width="data"
      bar={<SiteNav tab="docs" />}
      head={
        <>
          <link rel="stylesheet" href={styles.path} />
          <script defer src={script.path} />
          <script type="module" src={docsScriptPath} />
        </>
      }
    >
      <h1>API reference</h1>
      <p class="quiet">
        Every request that this server answers, with its own addresses. "Specification §" names the section of the
        service's specification that a part follows; what is marked "Toolkit" was added here. For programs:{' '}
        <a href="/openapi.json">openapi.json</a>.
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
  const script = readSwaggerFile('swagger-ui-bundle.js', 'text/javascript; charset=utf-8')
  const styles = readSwaggerFile('swagger-ui.css', 'text/css; charset=utf-8')
  const { status, headers, body } = docsPage(script, styles)
  router.get(sitePaths.docs, (_request, response) => void response.status(status).set(headers).send(body))
  for (const { path, type, plain } of [script, styles]) {
    let compressing: Promise<Buffer> | undefined
    router.get(path, async (request, response) => {
      response.set({
        'Content-Type': type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Accept-Encoding',
      })
      if (!request.acceptsEncodings('br')) return void response.send(plain)
      compressing ??= promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
      response.set('Content-Encoding', 'br').send(await compressing)
    })
  }
  return router
}

/** From the sources, the package is beside them; when published, its files are in `dist/`. */
function readSwaggerFile(name: string, type: string): SwaggerFile {
  const file = import.meta.url.endsWith('.tsx') ? `swagger-ui-dist/${name}` : `#swagger-ui/${name}`
  const plain = readFileSync(new URL(import.meta.resolve(file)))
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16)
  return { path: `/posrep-assets/${hash}/${name}`, type, plain }
}
