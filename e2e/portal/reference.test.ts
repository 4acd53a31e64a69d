/** The API reference in a browser, and its code samples against the server that shows them. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clientCredentials } from '@posrep/sensor-agent'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testInChromium } from '../pages/chromium.ts'
import { expectUsableInEveryLook } from '../pages/usable.ts'
import { signIn } from '../parts/a-user.ts'
import { testWith } from '../parts/requirements.ts'
import { fleet } from '../parts/seed.ts'
import { aPortal, type Portal } from './a-portal.ts'

const run = promisify(execFile)

interface Samples {
  id: string
  token: string | undefined
  curl: string
  typescript: string
  python: string
}

let portal: Portal
let samples: Samples[]
beforeAll(async () => {
  portal = await aPortal()
  await writeFile(join(portal.location.folder, 'ca.pem'), portal.server.certificate.ca)
  const list = await read('/docs')
  const ids = [...list.matchAll(/"\/docs\/operations\/(\w+)"/g)].map(([, id = '']) => id)
  samples = (await Promise.all(ids.map(toSamples))).filter(({ curl }) => curl !== '')
})
afterAll(() => portal.stop())

async function read(path: string): Promise<string> {
  return (await fetch(new URL(path, portal.server.ready.uiOrigin))).text()
}

async function toSamples(id: string): Promise<Samples> {
  const page = await read(`/docs/operations/${id}`)
  const [curl = '', typescript = '', python = ''] = [...page.matchAll(/data-copy="([^"]*)" hidden>Copy<span/g)]
    .map(([, text = '']) => text)
    .filter((text) => !text.startsWith('http'))
    .map(toPlain)
  const [, token] = /Takes a (user|device)/.exec(page) ?? []
  return { id, token, curl, typescript, python }
}

const toPlain = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

testInChromium('every kind of page is usable in every look, without a request to another origin', async () => {
  const { page, console, elsewhere } = await portal.aPage()
  const paths = [
    '',
    '/operations/submitPositionReport',
    '/operations/validate',
    '/schemas/PositionData',
    '/specification',
  ]
  for (const path of paths) {
    await page.goto(`${portal.server.ready.uiOrigin}/docs${path}`)
    await expectUsableInEveryLook(page)
  }
  expect([console, elsewhere]).toEqual([[], []])
})

testInChromium('the list follows what is typed, and leads to code in three languages', async () => {
  const { page } = await portal.aPage()
  await page.goto(`${portal.server.ready.uiOrigin}/docs`)
  await page.getByLabel('Path, name or word').pressSequentially('consume')
  await page.getByRole('link', { name: '/v1/devices', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '/v1/pairing-tokens/consume-token' }).click()
  await page.getByRole('radio', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByText('import urllib.request').waitFor()
  expect(await page.getByText(/^curl -X POST/).isVisible()).toBe(false)
})

testInChromium('without scripts the search and the languages work, too', async () => {
  const { page } = await portal.aPage({ javaScriptEnabled: false })
  await page.goto(`${portal.server.ready.uiOrigin}/docs`)
  await page.getByLabel('Path, name or word').fill('position-reports')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: '/v1/position-reports' }).click()
  await page.getByText('TypeScript', { exact: true }).click()
  await page.getByText('posrep.submitPositionReport').waitFor()
})

test('the samples in TypeScript have the types of the client SDK', () => {
  const folder = import.meta.dirname
  const { config } = ts.readConfigFile(join(folder, '../tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(folder, '..'))
  // Each sample is a module of its own.
  const files = new Map(samples.map(({ id, typescript }) => [join(folder, `sample-${id}.ts`), typescript]))
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists } = host
  host.readFile = (file) => files.get(file) ?? readFile(file)
  host.fileExists = (file) => files.has(file) || fileExists(file)
  const program = ts.createProgram([...files.keys()], { ...options, lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'] }, host)
  const found = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => [file?.fileName, messageText])
  expect(files.size).toBe(46)
  expect(found).toEqual([])
})

/** The first never ends, after the second there is no device to ask for, the third is refused when it is repeated. */
const untried = ['followAir', 'removeDevice', 'createSensorRequests']

/** What a wrong request is answered, and one with a wrong or no token. */
const refused = /^(?:400|401|403|405|413|415)$/

testWith('curl', 'the samples for curl')('the samples for curl are requests that the server understands', async () => {
  await expectUnderstood(async ({ curl }, env) => {
    const command = curl.replace(/^curl/, "curl -s -o /dev/null -w '%{http_code}'")
    return (await run('sh', ['-c', command], { env })).stdout
  })
})

testWith('python3', 'the samples in Python')('the samples in Python are, too', async () => {
  await expectUnderstood(async ({ python }, env) => {
    const program = run('python3', ['-c', `${onlyStatus}\n${python}`], { env })
    // A program that ends with an exception has an exit code, and its output.
    const { stdout } = await program.catch((ended: { stdout: string }) => ended)
    return stdout.slice(0, 3)
  })
})

/** Prints the status of refusals, too, which the sample raises. */
const onlyStatus = [
  'import sys, urllib.error',
  'sys.excepthook = lambda _kind, error, _trace: print(getattr(error, "code", error))',
].join('\n')

async function expectUnderstood(send: (sample: Samples, env: NodeJS.ProcessEnv) => Promise<string>): Promise<void> {
  const ca = join(portal.location.folder, 'ca.pem')
  const tokens = { user: await (await signIn(portal.server)).getAccessToken(), device: await aDeviceToken() }
  const statuses: string[] = []
  for (const sample of samples.filter(({ id, token }) => token !== undefined && !untried.includes(id))) {
    const token = sample.token === 'user' ? tokens.user : tokens.device
    const env = { ...process.env, CURL_CA_BUNDLE: ca, SSL_CERT_FILE: ca, POSREP_TOKEN: token }
    statuses.push(`${sample.id} ${await send(sample, env)}`)
  }
  expect(statuses.length).toBeGreaterThan(30)
  expect(statuses.filter((one) => refused.test(one.split(' ')[1] ?? ''))).toEqual([])
  expect(statuses.filter((one) => / 2\d\d$/.test(one)).length).toBeGreaterThan(15)
}

async function aDeviceToken(): Promise<string> {
  const { id: clientId, secret: clientSecret } = fleet
  const authOrigin = new URL(portal.server.ready.authOrigin)
  return clientCredentials({ authOrigin, clientId, clientSecret, localId: 'roof1' }).get()
}
