/**
 * A port that accepts no connection: its queue is full, and the kernel drops each SYN.
 * Out: the port, or `undefined` if the kernel still accepts connections; with TEST_REQUIRE_ALL that is an error.
 */
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'

const queue = 1
/** More than fit into the queue. The others are never connected. */
const attempts = 8

const listener = `
  const { parentPort, workerData } = require('node:worker_threads')
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: workerData }, () => {
    parentPort.postMessage(server.address().port)
    // Sleeps with the port open: the kernel queues connections, and none is accepted.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

export async function aFullListener(): Promise<number | undefined> {
  const worker = new Worker(listener, { eval: true, workerData: queue })
  const port = await new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  const sockets = Array.from({ length: attempts }, () => connect(port, '127.0.0.1').on('error', ignore))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await worker.terminate()
  })
  // Over loopback, a handshake either ends at once or never.
  await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
  await untilNoneConnects(sockets)
  if (sockets.some(({ connecting }) => connecting)) return port
  if (process.env.TEST_REQUIRE_ALL === '1') throw new Error('TEST_REQUIRE_ALL is set and the kernel drops no SYN')
  return undefined
}

function ignore(): void {
  // Connections that are not accepted end with an error later.
}

/** Resolves when no connection was made for 100 ms. */
async function untilNoneConnects(sockets: Socket[]): Promise<void> {
  const before = sockets.filter(({ connecting }) => connecting).length
  await new Promise((resolve) => setTimeout(resolve, 100))
  if (sockets.filter(({ connecting }) => connecting).length < before) await untilNoneConnects(sockets)
}
