/** The two pages as HTML. What comes from the service is escaped. */
import type { Device } from '@posrep/client-sdk'

export function welcomePage(): string {
  return page('<p>Sign in to see your devices.</p><p><a href="/sign-in">Sign in</a></p>')
}

export function devicesPage(devices: Device[]): string {
  const rows = devices.map(
    ({ deviceId, deviceName, relayDetails }) =>
      `<tr><th scope="row">${toHtml(deviceName)}</th><td><code>${toHtml(deviceId)}</code></td><td>${toHtml(relayDetails?.state ?? 'none')}</td></tr>`,
  )
  const table = `<table>
    <thead><tr><th scope="col">Device</th><th scope="col">URN</th><th scope="col">Relay</th></tr></thead>
    <tbody>${rows.join('\n')}</tbody>
  </table>`
  const signOut = '<form method="post" action="/sign-out"><button>Sign out</button></form>'
  return page(`${devices.length > 0 ? table : '<p>No devices yet. Register a sensor in the portal.</p>'}${signOut}`)
}

export function problemPage(problem: string): string {
  return page(`<p role="alert">${toHtml(problem)}</p><p><a href="/">Back to the start</a></p>`)
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>Devices</title>
    <link rel="icon" href="data:,">
    <style>body { font: 16px / 1.5 system-ui, sans-serif; margin: 16px } th, td { text-align: start; padding: 4px 16px 4px 0 }</style>
  </head>
  <body>
    <h1>Devices</h1>
    ${content}
  </body>
</html>
`
}

function toHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
