import { createServer } from 'node:http'
import { relayReceiver } from '@posrep/relay-receiver/node'

const onReport = (report: object) => console.log(JSON.stringify(report))
createServer(relayReceiver({ from: 'https://localhost:8443', devices: 'all', onReport })).listen(8080)
