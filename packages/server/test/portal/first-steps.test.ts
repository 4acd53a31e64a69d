import { afterAll, beforeAll, expect, test } from 'vitest'
import { aReport } from '../a-report.ts'
import { aServer, roof1, type ServerUnderTest } from '../a-server.ts'
import { aPortalVisitor, type PortalVisitor } from './a-portal-visitor.ts'

let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  server = await aServer()
  visitor = aPortalVisitor(server)
  await visitor.enter('/')
})
afterAll(() => server.stop())

async function readSteps(): Promise<string[] | undefined> {
  const { html } = await visitor.get('/')
  const list = /<ol class="first-steps">(.*?)<\/ol>/s.exec(html)?.[1]
  return list?.split('</li>').flatMap((item) => {
    const text = item
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
    return text === '' ? [] : [text]
  })
}

test('until a device has reported, the overview has the first steps, and ticks those that are done', async () => {
  expect(await readSteps()).toEqual([
    'Done Register a sensor',
    'To do Pair it, or let its client request tokens',
    'To do Wait for its first report: it appears here and on the map',
    'To do Set a relay, if its reports are to be forwarded',
  ])

  const { html } = await visitor.get('/')
  expect(html.indexOf('first-steps')).toBeLessThan(html.indexOf('id="figures"'))

  const token = await server.deviceToken()
  const relay = { url: 'https://relay.example.net/', state: 2 }
  await server.post(`/v1/devices/${roof1}/relay`, await server.userToken(), relay)
  await expect
    .poll(async () => (await readSteps())?.map((step) => step.startsWith('Done')))
    .toEqual([true, true, false, true])

  await server.post('/v1/position-reports', token, aReport())
  await server.processed()
  expect(await readSteps()).toBeUndefined()
})
