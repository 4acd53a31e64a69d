/** Elements of the page that are made or changed by more than one file. */
import type { Device } from '@posrep/client-sdk'

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}`)
  return found
}

/**
 * Lists the devices as radio buttons. `onChoice` is called at once with the first; the signal ends what it began for
 * the one before.
 */
export function showDevices(devices: Device[], onChoice: (device: Device, signal: AbortSignal) => void): void {
  let chosen = new AbortController()
  const choose = (device: Device) => {
    chosen.abort()
    chosen = new AbortController()
    onChoice(device, chosen.signal)
  }
  const choices = devices.map((device, index) => {
    const input = Object.assign(document.createElement('input'), {
      type: 'radio',
      name: 'device',
      checked: index === 0,
    })
    input.addEventListener('change', () => choose(device))
    const label = document.createElement('label')
    label.append(input, ' ', device.deviceName)
    return label
  })
  element('devices').replaceChildren(element('devices').querySelector('legend') ?? '', ...choices)
  const [first] = devices
  if (first) choose(first)
  else element('status').textContent = 'No devices yet. Register a sensor in the portal.'
}
