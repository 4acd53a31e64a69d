import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { redirectAnswer } from '../../../src/pages/answer.ts'
import { createOncePerClick } from '../../../src/portal/visit/double-click.ts'
import { aServer, roof1 } from '../../a-server.ts'
import { aRelay } from '../../relays/a-relay.ts'
import { aPortalVisitor } from '../a-portal-visitor.ts'

async function aVisitedServer() {
  const server = await aServer({ flags: { 'allow-private-relays': true } })
  onTestFinished(() => server.stop())
  const visitor = aPortalVisitor(server)
  await visitor.enter()
  return { server, visitor }
}

test('two clicks on Register register the sensor once, and both answers say so', async () => {
  const { visitor } = await aVisitedServer()
  const page = await visitor.get('/sensors')
  const typed = { local_id: 'pole1', client_id: 'fleet' }
  const answers = await Promise.all([1, 2].map(() => visitor.submit(page, 'Register', typed)))

  expect(answers.map(({ status, location }) => [status, location?.search])).toEqual([
    [303, '?notice'],
    [303, '?notice'],
  ])
  expect((await visitor.get('/sensors')).html.match(/<code>pole1<\/code>/g)).toHaveLength(1)
})

test('two clicks on Send test message send one message, and a click a second later sends another', async () => {
  const { server, visitor } = await aVisitedServer()
  const relay = await aRelay(
    server.certificate,
    (_request, response, body) => response.end(JSON.parse(body).validationCode),
    { name: 'localhost' },
  )
  const path = `/devices/${encodeURIComponent(roof1)}`
  const page = await visitor.press(await visitor.get(path), 'Set address', { url: relay.url.href })
  const validations = relay.requests.length
  await Promise.all([1, 2].map(() => visitor.submit(page, 'Send test message')))
  expect(relay.requests.length - validations).toBe(1)

  await server.clock.advance(1_000)
  await visitor.submit(page, 'Send test message')
  expect(relay.requests.length - validations).toBe(2)
})

test('a form that is still in flight is not started again, but that of another session or another form is', async () => {
  const clock = createManualClock()
  const once = createOncePerClick({ clock })
  let begun = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const action = async () => {
    begun++
    await promise
    return redirectAnswer(303, '/devices')
  }
  const first = once('s', 'relay', { url: 'a' }, action)
  await clock.advance(5_000)
  const second = once('s', 'relay', { url: 'a' }, action)
  expect(begun).toBe(1)
  const others = [
    once('t', 'relay', { url: 'a' }, action),
    once('s', 'name', { url: 'a' }, action),
    once('s', 'relay', { url: 'b' }, action),
  ]
  expect(begun).toBe(4)
  resolve()
  expect(await second).toBe(await first)
  await Promise.all(others)
})
