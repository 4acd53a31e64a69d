/**
 * The API reference: Swagger UI over this server's own document, without a request to another origin (docs/decisions/0048).
 * In: nothing. Out: a router with the page and the files of Swagger UI.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Router } from 'express'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { type Asset, addAsset, toAsset } from '../../pages/asset.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import { SiteNav, sitePaths } from '../../pages/frame/site-nav.tsx'
import { docsScriptPath } from '../../pages/script.ts'

function docsPage(script: Asset, styles: Asset): PageAnswer {
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
  for (const file of [script, styles]) addAsset(router, file)
  return router
}

/** From the sources, the package is beside them; when published, its files are in `dist/`. */
function readSwaggerFile(name: string, type: string): Asset {
  const file = import.meta.url.endsWith('.tsx') ? `swagger-ui-dist/${name}` : `#swagger-ui/${name}`
  const plain = readFileSync(new URL(import.meta.resolve(file)))
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16)
  return toAsset({ path: `/posrep-assets/${hash}/${name}`, type, plain })
}
