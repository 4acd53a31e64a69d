/**
 * Accepts messages of certain devices only.
 * In: URNs of devices, or client parts of URNs; the device of a message. Out: nothing, or ReceiverError
 * `unexpected_device`. The signature proves that the service sent the message for the device; it does not prove that
 * the device is yours. Any account of the service can set your address as the relay of its own device.
 */
import { ReceiverError } from '../errors.ts'

export interface PinningOptions {
  /**
   * URNs of the devices whose messages are accepted, such as `urn:aa:device:acme:roof1`; or `all`, for those of every
   * account.
   */
  devices?: readonly string[] | 'all'
  /**
   * Client parts of the URNs whose messages are accepted, such as `acme`. Each belongs to one account of the service.
   */
  clientParts?: readonly string[]
}

const urnForm = /^urn:aa:device:([A-Za-z0-9-]+):(.+)$/

export function createPinning({ devices, clientParts }: PinningOptions): (device: string | undefined) => void {
  const urns = devices === 'all' ? [] : toList('devices', devices)
  const parts = toList('clientParts', clientParts)
  for (const urn of urns) {
    if (!urnForm.test(urn)) throw new RangeError(`"devices" must be URNs like urn:aa:device:acme:roof1, got ${urn}`)
  }
  for (const part of parts) {
    if (!/^[A-Za-z0-9-]+$/.test(part)) throw new RangeError(`"clientParts" must be letters, digits and -, got ${part}`)
  }
  if (devices === 'all' || (!devices && !clientParts)) return () => undefined
  const isPinned = (urn: string) => urns.includes(urn) || parts.includes(urnForm.exec(urn)?.[1] ?? '')

  return (device) => {
    if (device !== undefined && isPinned(device)) return
    throw new ReceiverError(
      'unexpected_device',
      device === undefined ? 'The "webhook-id" does not name a device' : `This address takes no messages of ${device}`,
    )
  }
}

function toList(name: string, list: readonly string[] | undefined): readonly string[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) throw new TypeError(`"${name}" must be a list, got ${JSON.stringify(list)}`)
  if (list.length > 0) return list
  throw new RangeError(`"${name}" must name at least one: an empty list would refuse every message`)
}
