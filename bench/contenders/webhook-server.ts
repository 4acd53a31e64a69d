/**
 * A server of webhooks that are signed with a shared secret: node:http, the check of a library, and JSON.parse. It
 * looks for no repetition and validates nothing.
 * In: the library and the secret.
 */
import http, { type IncomingHttpHeaders } from 'node:http'
import { verify } from '@octokit/webhooks-methods'
import { Webhook } from 'svix'
import { tellReady } from './tell-ready.ts'

const [, , library, secret = ''] = process.argv
const check = library === 'svix' ? createSvixCheck() : checkWithOctokit

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const isSigned = await check(Buffer.concat(chunks).toString(), request.headers)
    response.statusCode = isSigned ? 204 : 401
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => tellReady(server))

async function checkWithOctokit(body: string, headers: IncomingHttpHeaders): Promise<boolean> {
  if (!(await verify(secret, body, String(headers['x-hub-signature-256'])))) return false
  JSON.parse(body)
  return true
}

function createSvixCheck(): typeof checkWithOctokit {
  const webhook = new Webhook(secret)
  return async (body, headers) => {
    // It also parses the body.
    webhook.verify(body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])))
    return true
  }
}
