import type { Device, PairingRequest } from '@posrep/spec'
import { expect, test } from 'vitest'
import { pairingPage } from '../../../src/portal/pairing/pairing.tsx'

/** The page of a pending request, on a server at this origin. */
function aPage(origin: string, caFile: string | undefined): string {
  const page = pairingPage({
    viewer: { email: 'pilot@example.com', nowMs: 0, accountUrl: `${origin}/account`, toToken: () => 'token' },
    // The page uses these members only.
    device: { deviceId: 'urn:aa:device:acme:roof1', deviceName: 'Roof' } as Device,
    request: {
      id: 'pr_1',
      deviceId: 'urn:aa:device:acme:roof1',
      clientUniqueId: 'roof1',
      state: 'pending',
      expiresAt: new Date(60_000).toISOString(),
      consumedBy: null,
      sources: 0,
    } satisfies PairingRequest,
    origins: { ingest: origin, ui: origin },
    caFile,
  })
  return page.body ?? ''
}

test('a page of another machine has a QR code; one of this machine has none, because a phone cannot open it', () => {
  expect(aPage('https://portal.example', undefined)).toContain('QR code of this pairing page')
  for (const origin of ['https://localhost:8443', 'https://127.0.0.1:8443', 'https://[::1]:8443']) {
    expect(aPage(origin, undefined)).not.toContain('QR code')
  }
})

test('the command has the path of the development CA on the machine of the server, and its name elsewhere', () => {
  const command = 'npx @posrep/sensor-agent pair --ingest'
  expect(aPage('https://localhost:8443', '/my data/development-ca.pem')).toContain(
    `data-copy="${command} https://localhost:8443 --sensor roof1 --ca '/my data/development-ca.pem'"`,
  )
  const elsewhere = aPage('https://portal.example', '/my data/development-ca.pem')
  expect(elsewhere).toContain(`data-copy="${command} https://portal.example --sensor roof1 --ca development-ca.pem"`)
  expect(elsewhere).toContain('Copy the file <code>development-ca.pem</code>')
  expect(aPage('https://portal.example', undefined)).toContain(
    `data-copy="${command} https://portal.example --sensor roof1"`,
  )
})

test('a line of the command does not break within an option and its value', () => {
  expect(aPage('https://portal.example', '/ca.pem')).toContain(
    '<span>--sensor roof1</span> <span>--ca ca.pem</span></code>',
  )
})

test('the page says that there is nothing to do when the device or its agent waits already', () => {
  expect(aPage('https://portal.example', undefined).replaceAll(/\s+/g, ' ')).toContain(
    'If the device or its agent waits already, there is nothing more to do',
  )
})
