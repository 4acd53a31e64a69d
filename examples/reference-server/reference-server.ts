/** The program: runs the server until Ctrl+C or SIGTERM. Exit 2 for a wrong setting. */
import { SettingsError } from '@posrep/server'
import { startReferenceServer } from './server.ts'

const { server } = await startReferenceServer(process.env).catch((error: unknown) => {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exit(2)
})
console.log(`${server.origins.ui}/   sign in as pilot@example.com, password: correct horse 42`)
if (server.development) console.log(`development CA: ${server.development.caFile}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.stop()
    process.exit(0)
  })
}
