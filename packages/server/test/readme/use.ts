import { createSystemClock, resolveSettings, startServer } from '@posrep/server'

const server = await startServer({
  settings: resolveSettings({ flags: { memory: true, port: '0' }, environment: process.env }),
  clock: createSystemClock(),
  logger: console,
  version: '0.1.0',
  seeds: [
    {
      accounts: [{ id: 'acme', name: 'Acme Sensing' }],
      users: [{ email: 'pilot@example.com', password: 'correct horse 42', account: 'acme' }],
      clients: [],
      sensors: [],
    },
  ],
})
console.log(server.origins.ui, server.development?.caFile)
await server.stop()
