import { createReceiver } from '@posrep/relay-receiver'

export const server = {
  fetch: createReceiver({ onReport: (report) => console.log(report.positions.length) }),
}
