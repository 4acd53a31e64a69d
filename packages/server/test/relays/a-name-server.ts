/** A name server on this machine whose answers over UDP the test sets. */
import { createSocket } from 'node:dgram'
import { onTestFinished } from 'vitest'

export type Said =
  | { addresses: string[]; ttlSeconds?: number; alias?: string }
  /** A TXT record of that many bytes, which was not requested. */
  | { text: number }
  /** Too long for UDP; over TCP there is no answer. */
  | 'truncated'
  | { code: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' }
  | 'silence'

export interface NameServer {
  /** For a resolver. */
  server: string
  /** The name of each question, in order. */
  asked: string[]
}

const codes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/** @param say Gets the address family of a question, and the number of earlier questions of this family. */
export async function aNameServer(say: (family: 4 | 6, times: number) => Said): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  const times = { 4: 0, 6: 0 }
  socket.on('message', (query, peer) => {
    const { name, type, end } = questionOf(query)
    asked.push(name)
    const family = type === 28 ? 6 : 4
    const said = say(family, times[family]++)
    if (said !== 'silence') socket.send(toAnswer(query.subarray(0, end), said, family), peer.port, peer.address)
  })
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
  onTestFinished(() => void socket.close())
  return { server: `127.0.0.1:${socket.address().port}`, asked }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function toAnswer(question: Buffer, said: Exclude<Said, 'silence'>, family: 4 | 6): Buffer {
  const isAddresses = said !== 'truncated' && 'addresses' in said
  const records = isAddresses ? recordsOf(said, family) : said !== 'truncated' && 'text' in said ? [textOf(said)] : []
  const code = said !== 'truncated' && 'code' in said ? codes[said.code] : 0
  const head = Buffer.from(question)
  // A response with recursion available: one question, the number of answers, no other records.
  head.writeUInt16BE(0x8180 | (said === 'truncated' ? 0x0200 : 0) | code, 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records])
}

/** Strings of at most 255 bytes, each with its length in front. */
function textOf({ text }: { text: number }): Buffer {
  const strings = Array.from({ length: Math.ceil(text / 256) }, () =>
    Buffer.concat([Buffer.of(255), Buffer.alloc(255)]),
  )
  return record(Buffer.from([0xc0, 0x0c]), 16, 0, Buffer.concat(strings))
}

function recordsOf({ addresses, ttlSeconds = 0, alias }: Extract<Said, { addresses: string[] }>, family: 4 | 6) {
  const ofFamily = addresses.map(toBytes).filter((bytes) => bytes.length === (family === 6 ? 16 : 4))
  const type = family === 6 ? 28 : 1
  // 0xc00c is a pointer to the name in the question.
  const asked = Buffer.from([0xc0, 0x0c])
  if (alias === undefined) return ofFamily.map((bytes) => record(asked, type, ttlSeconds, bytes))
  const other = Buffer.concat([
    ...alias.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])
  return [record(asked, 5, ttlSeconds, other), ...ofFamily.map((bytes) => record(other, type, ttlSeconds, bytes))]
}

function record(name: Buffer, type: number, ttlSeconds: number, bytes: Buffer): Buffer {
  const fields = Buffer.alloc(10)
  fields.writeUInt16BE(type, 0)
  fields.writeUInt16BE(1, 2)
  fields.writeUInt32BE(ttlSeconds, 4)
  fields.writeUInt16BE(bytes.length, 8)
  return Buffer.concat([name, fields, bytes])
}

/** IPv4 in its usual form, IPv6 with all its eight groups or `::` once. */
function toBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [before = '', after] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const tail = after === undefined ? [] : groups(after)
  const zeros = Array<string>(8 - groups(before).length - tail.length).fill('0')
  const bytes = Buffer.alloc(16)
  for (const [n, group] of [...groups(before), ...zeros, ...tail].entries())
    bytes.writeUInt16BE(parseInt(group, 16), n * 2)
  return bytes
}
