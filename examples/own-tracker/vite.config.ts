import { defineConfig } from 'vite'

export default defineConfig({ server: { host: 'localhost' }, preview: { host: 'localhost', port: 0 } })
