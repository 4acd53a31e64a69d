/** A name server for A records with one TTL. Other questions get an answer without records. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

export interface NameServer {
  /** For `nameServers`. */
  address: string
  /** Changes the addresses that all names have. An empty list: the name does not exist. */
  answerWith(...addresses: string[]): void
  /** Names of the questions for A records. */
  asked: string[]
}

export async function aNameServer(ttlSeconds: number, ...first: string[]): Promise<NameServer> {
  let addresses = first
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, isA } = readQuestion(query)
    if (isA) asked.push(name)
    socket.send(toAnswer(query, isA ? addresses : [], addresses.length === 0, ttlSeconds), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    answerWith(...next) {
      addresses = next
    },
  }
}

const headerBytes = 12

/** RFC 1035 § 4.1.2: labels with their lengths, an empty one, then type and class. */
function readQuestion(query: Buffer): { name: string; isA: boolean; end: number } {
  const labels: string[] = []
  let offset = headerBytes
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += length + 1
  }
  return { name: labels.join('.').toLowerCase(), isA: query.readUInt16BE(offset + 1) === 1, end: offset + 5 }
}

function toAnswer(query: Buffer, addresses: readonly string[], isMissing: boolean, ttlSeconds: number): Buffer {
  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  // A response, recursion available; code 3 is "no such name".
  header.writeUInt16BE(0x8180 | (isMissing ? 3 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const record = Buffer.alloc(16)
    // The name is that of the question.
    record.writeUInt16BE(0xc000 | headerBytes, 0)
    record.writeUInt16BE(1, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(ttlSeconds, 6)
    record.writeUInt16BE(4, 10)
    record.set(address.split('.').map(Number), 12)
    return record
  })
  return Buffer.concat([header, query.subarray(headerBytes, readQuestion(query).end), ...records])
}
