import { relayReceiver } from '@posrep/relay-receiver'
import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'

const receiver = relayReceiver({
  from: 'https://localhost:8443',
  clientParts: ['demo'],
  onReport: (report) => console.log(report.positions.length),
})

export const handler = handle(new Hono().all('/position-reports', (context) => receiver.fetch(context.req.raw)))
