import { defineConfig } from 'vite'

/** The redirect URI is registered with this port. */
const server = { host: 'localhost', port: 5173, strictPort: true }

export default defineConfig({
  server,
  preview: server,
  // The app reads POSREP_ORIGIN and POSREP_CLIENT_ID.
  envPrefix: 'POSREP_',
})
