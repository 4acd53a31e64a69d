import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledDocument, operationsOf } from '../../../src/http/operation/openapi-document.ts'
import { findSections } from '../../../src/portal/docs/sections.ts'
import { aServer, type ServerUnderTest } from '../../a-server.ts'

let server: ServerUnderTest
/** Path → page. */
const pages = new Map<string, string>()
beforeAll(async () => {
  server = await aServer()
  await readAll('/docs')
})
afterAll(() => server.stop())

async function get(path: string) {
  const response = await server.fetch(path)
  return { status: response.status, html: await response.text() }
}

const toLinks = (html: string) => [...html.matchAll(/href="(\/docs[^"]*)"/g)].map(([, link = '']) => link)

async function readAll(path: string): Promise<void> {
  const { status, html } = await get(path)
  expect([path, status]).toEqual([path, 200])
  pages.set(path, html)
  for (const link of toLinks(html)) {
    const [page = ''] = link.split('#')
    if (!pages.has(page)) await readAll(page)
  }
}

test('every operation, message and schema has a page that a link leads to', () => {
  const operations = operationsOf(bundledDocument).map(({ operationId }) => `/docs/operations/${operationId}`)
  const schemas = Object.keys(bundledDocument.components.schemas).map((name) => `/docs/schemas/${name}`)
  const messages = ['validate', 'positionReport'].map((name) => `/docs/operations/${name}`)
  expect([...pages.keys()].sort()).toEqual(
    ['/docs', '/docs/specification', ...operations, ...messages, ...schemas].sort(),
  )
})

test('every link to a place in a page leads to an element', () => {
  const links = new Set([...pages.values()].flatMap(toLinks).filter((link) => link.includes('#')))
  expect(links.size).toBeGreaterThan(20)
  for (const link of links) {
    const [page = '', id = ''] = link.split('#')
    expect(pages.get(page)).toContain(`id="${id}"`)
  }
})

test('every section of the specification that the document names is a link', () => {
  const named = JSON.stringify(bundledDocument).match(/§ [A-Z]/g) ?? []
  expect(named.length).toBeGreaterThan(150)
  expect(findSections(JSON.stringify(bundledDocument))).toHaveLength(named.length)
})

test('a search finds an operation by its path, and a schema by one of its fields', async () => {
  const { html } = await get('/docs?q=toggle-storing')
  expect(toLinks(html)).toContain('/docs/operations/toggleStoringPositionReports')
  expect(toLinks(html)).not.toContain('/docs/operations/listDevices')
  const fields = await get('/docs?q=shouldStorePositionReportMetrics')
  expect(toLinks(fields.html)).toContain('/docs/schemas/Device')
})

test('a search that finds nothing says so, and keeps what was typed', async () => {
  const { html } = await get(`/docs?q=${encodeURIComponent('<nothing>')}`)
  expect(html).toContain('Nothing has &quot;&lt;nothing')
  expect(html).toMatch(/value="&lt;nothing/)
})

test('a page that does not exist is answered 404, with the way to the other pages', async () => {
  const { status, html } = await get('/docs/operations/none')
  expect(status).toBe(404)
  expect(html).toContain('href="/docs"')
})

test('the page of an operation has its parameters, its answers, and who may call it', () => {
  const page = pages.get('/docs/operations/listRecentReports')
  expect(page).toMatch(/<code>deviceId<\/code>.*required/)
  expect(page).toContain('<span class="status">404</span>')
  expect(page).toContain("Takes a user's access token")
})
