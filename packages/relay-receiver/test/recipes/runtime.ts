// Deno: deno serve server.ts; Bun: bun server.ts; Workers: the main module.
import { relayReceiver } from '@posrep/relay-receiver'

const receiver = relayReceiver({
  from: 'https://localhost:8443',
  clientParts: ['demo'],
  onReport: (report) => console.log(report.positions.length),
})

export default { fetch: receiver.fetch }
