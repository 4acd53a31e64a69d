import { createServer } from 'node:http'
import { createReceiver } from '@posrep/relay-receiver'
import { toNodeListener } from '@posrep/relay-receiver/node'

const receive = createReceiver({ onReport: (report) => console.log(JSON.stringify(report)) })

createServer(toNodeListener(receive)).listen(8080)
