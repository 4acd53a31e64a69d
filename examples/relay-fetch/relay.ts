/**
 * A relay with Hono on Node: shows reports to browsers as they come.
 * In: ISSUER, DEVICE and PORT from the environment. Out: GET /live, server-sent events.
 */
import { serve } from '@hono/node-server'
import { relayReceiver } from '@posrep/relay-receiver'
import { eventStream } from '@posrep/relay-receiver/event-stream'
import { Hono } from 'hono'

const live = eventStream()

const receiver = relayReceiver({
  from: process.env.ISSUER ?? 'https://localhost:8443',
  devices: [process.env.DEVICE ?? 'urn:aa:device:demo:roof1'],
  onReport: live.publish,
  onAnswer: ({ status, code = '', name, device }) => console.log(status, code, name, device),
})

const app = new Hono()
app.all('/position-reports', (context) => receiver.fetch(context.req.raw))
app.get('/live', (context) => live.fetch(context.req.raw))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8080) }, () => console.log('listening'))
