/** A DNS server that answers every name with the IPv4 address that was set last, with a TTL of 0. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface NameServer {
  say(address: string): void
  stop(): void
}

export async function startNameServer(port = 53): Promise<NameServer> {
  let address = Buffer.alloc(4)
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const end = query.indexOf(0, 12) + 5
    const isIPv4 = query.readUInt16BE(end - 4) === 1
    const head = Buffer.from(query.subarray(0, end))
    // Header of a response with one question and one answer or none.
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(isIPv4 ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    // Answer: the name of the question, type A, class IN, TTL 0, four bytes.
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address])
    socket.send(isIPv4 ? Buffer.concat([head, record]) : head, peer.port, peer.address)
  })
  await once(socket.bind(port, '127.0.0.1'), 'listening')
  return {
    say(text) {
      address = Buffer.from(text.split('.').map(Number))
    },
    stop: () => socket.close(),
  }
}
