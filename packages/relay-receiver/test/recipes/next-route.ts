// app/position-reports/route.ts
import { relayReceiver } from '@posrep/relay-receiver'

const receiver = relayReceiver({
  from: 'https://localhost:8443',
  clientParts: ['demo'],
  onReport: (report) => console.log(report.positions.length),
})

export const POST = receiver.fetch
