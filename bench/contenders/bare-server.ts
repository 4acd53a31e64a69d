/** A minimal server: node:http, JSON.parse, 202. It checks no token, validates nothing and stores nothing. */
import http from 'node:http'
import { tellReady } from './tell-ready.ts'

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const [first] = chunks
    JSON.parse((first && chunks.length === 1 ? first : Buffer.concat(chunks)).toString())
    response.statusCode = 202
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => tellReady(server))
