import { expect, test } from 'vitest'
import { RelayFailure } from '../../../src/relays/sender/relay-failure.ts'
import { aCourier, minuteMs } from '../a-courier.ts'

test('a host with hundreds of devices that hangs does not delay the device of another host', async () => {
  const { enqueue, addDevice, setRelay, clock, answering, sent } = await aCourier()
  const stuck = await Promise.all(Array.from({ length: 400 }, (_, n) => addDevice(`stuck${n}`)))
  for (const urn of stuck) await setRelay(urn, 'Active', 'https://stuck.example/')
  const other = await addDevice('other')
  await setRelay(other, 'Active', 'https://other.example/')
  answering(() => Promise.withResolvers<never>().promise, 'https://stuck.example/')
  for (const urn of stuck) await enqueue(urn, 'stuck')
  await clock.advance(5_000)
  const atMs = clock.now()
  await enqueue(other, '1', '2')
  await clock.advance(0)

  const delivered = sent.filter(({ url }) => url === 'https://other.example/')
  expect(delivered.map(({ report }) => report)).toEqual(['1', '2'])
  expect(clock.now() - atMs).toBe(0)
  expect(sent.length - delivered.length).toBeLessThanOrEqual(128)
})

test('when 100 of 10,000 relays never answer, the others never wait for them', async () => {
  const { enqueue, addDevice, setRelay, clock, answering, sent } = await aCourier()
  const urns = await Promise.all(Array.from({ length: 10_000 }, (_, n) => addDevice(`device${n}`)))
  for (const [n, urn] of urns.entries()) {
    const isSilent = n % 100 === 0
    const url = `https://${isSilent ? 'silent' : 'relay'}${n}.example/`
    await setRelay(urn, 'Active', url)
    if (isSilent) answering(() => clock.sleep(10_000).then(() => Promise.reject(new RelayFailure('timeout'))), url)
  }

  for (const round of [1, 2]) {
    const atMs = clock.now()
    for (const urn of urns) await enqueue(urn, String(round))
    const delivered = () => sent.filter(({ report, url }) => report === String(round) && url.includes('relay'))
    for (let turns = 0; turns < 500 && delivered().length < 9_900; turns++) await clock.advance(0)
    expect([delivered().length, clock.now() - atMs]).toEqual([9_900, 0])
    await clock.advance(60_000)
  }
})

test('devices whose relays fail use at most half of the courier', async () => {
  const { enqueue, addDevice, setRelay, clock, answering, sent } = await aCourier()
  const urns = await Promise.all(Array.from({ length: 300 }, (_, n) => addDevice(`failing${n}`)))
  for (const [n, urn] of urns.entries()) {
    await setRelay(urn, 'Active', `https://failing${n}.example/`)
    answering(() => 503, `https://failing${n}.example/`)
    await enqueue(urn, 'x')
  }
  await clock.advance(10 * minuteMs)
  for (const n of urns.keys()) {
    answering(() => Promise.withResolvers<never>().promise, `https://failing${n}.example/`)
  }
  await clock.advance(6 * minuteMs)
  const other = await addDevice('other')
  await setRelay(other, 'Active', 'https://other.example/')
  await enqueue(other, '1')
  await clock.advance(0)
  expect(sent.filter(({ url }) => url === 'https://other.example/')).toHaveLength(1)
})
