import { relayReceiver } from '@posrep/relay-receiver'

const receiver = relayReceiver({
  from: 'https://localhost:8443',
  clientParts: ['demo'],
  onReport: (report) => console.log(report.positions.length),
})

/** For a function URL, or an HTTP API of API Gateway (payload format 2.0). */
export async function handler(event: {
  requestContext: { http: { method: string } }
  headers: Record<string, string>
  body?: string
  isBase64Encoded?: boolean
}) {
  const { method } = event.requestContext.http
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  const init = { method, headers: event.headers, ...(method === 'POST' && { body }) }
  const response = await receiver.fetch(new Request('https://relay.invalid/', init))
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}
