import type { DeviceRegistry, Namesake } from '../../devices/registry.ts'
import type { Audit } from '../../identity/audit.ts'
import type { DeviceRecord } from '../../ports/storage/directory.ts'

/**
 * Writes that an operator registered a sensor whose local ID other accounts have: that allows its pairing
 * (docs/decisions/0042). In: the registered device. Out: the devices and former devices of the other accounts.
 */
export async function auditConsent(
  device: DeviceRecord,
  { devices, audit }: { devices: Pick<DeviceRegistry, 'findNamesakes'>; audit: Audit },
): Promise<Namesake[]> {
  const namesakes = await devices.findNamesakes(device)
  const otherUrns = namesakes.map(({ id }) => id)
  if (namesakes.length > 0) audit({ event: 'pairing-allowed', deviceUrn: device.id, otherUrns })
  return namesakes
}
