import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sbsSource } from '../../../src/sources/adsb/sbs-source.ts'
import { runASource } from '../../support/run-a-source.ts'

const line = (time: string) =>
  `MSG,3,1,1,461F67,1,2026/01/07,${time},2026/01/07,${time},,26450,,,61.111031,22.489827,,,0,,0,0\r\n`

test('lines are read from a receiver, and again after it has closed the connection', async () => {
  const receiver = await aReceiver()
  const source = runASource(sbsSource({ host: '127.0.0.1', port: receiver.port }))

  const first = await receiver.connection()
  first.write(line('06:32:45.518').slice(0, 30))
  first.write(line('06:32:45.518').slice(30))
  await source.until(() => source.positions.length === 1)
  first.destroy()
  const second = await receiver.connection()
  // The receiver repeats its last line.
  second.write(`nonsense\r\n${line('06:32:45.518')}${line('06:32:46.518')}`)
  await source.until(() => source.positions.length === 2)
  await source.stop()

  expect(source.positions.map(({ sourceTimeStamp }) => sourceTimeStamp)).toEqual([
    '2026-01-07T06:32:45.518Z',
    '2026-01-07T06:32:46.518Z',
  ])
  expect(source.unusable).toEqual(['not an SBS line: nonsense'])
  expect(source.states).toEqual(['connected', expect.stringContaining('next try in'), 'connected'])
})

test('a receiver that does not run is told with the reason, and tried again', async () => {
  const { port, close } = await aReceiver()
  await close()
  const source = runASource(sbsSource({ host: '127.0.0.1', port }))

  await source.until(() => source.states.length >= 3)
  await source.stop()

  expect(source.states[0]).toMatch(/ECONNREFUSED.*next try in \d+\.\d s$/)
})

test('a receiver that says nothing for too long is connected again', async () => {
  const receiver = await aReceiver()
  const source = runASource(sbsSource({ host: '127.0.0.1', port: receiver.port, silenceMs: 1_000 }))

  await receiver.connection()
  await receiver.connection()
  await source.stop()

  expect(source.states[1]).toContain('no line for 1 s')
})

test('an impossible port is refused', () => {
  expect(() => sbsSource({ host: 'localhost', port: 0 })).toThrow('"port" must be 1-65535, got 0')
})

async function aReceiver() {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    server.emit('accepted')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let taken = 0
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    // A listening server has an address with a port.
    port: (server.address() as AddressInfo).port,
    async connection(): Promise<Socket> {
      while (sockets.length <= taken) await once(server, 'accepted')
      const socket = sockets[taken]
      taken += 1
      if (!socket) throw new Error('no connection')
      return socket
    },
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
