/** The forms of a device that several pages show: Pair, the storage switch, Rename. */
import type { Device } from '@posrep/spec'
import { toVisible } from '../../visible.ts'
import { devicePath, pairingPath } from '../layout/paths.ts'
import { FormToken, type Viewer } from '../layout/portal-layout.tsx'

export interface StorageSwitchProps {
  viewer: Viewer
  device: Device
  /** The query of the list to return to. Default: the page of the device. */
  list?: URLSearchParams
}

/** The form contains the value that was shown, so that a second click does not switch back. */
export function StorageSwitch({ viewer, device, list }: StorageSwitchProps) {
  const { deviceId, deviceName, shouldStorePositionReportMetrics: stores } = device
  return (
    <form method="post" action={devicePath(deviceId, 'storage')} id={`storage-${deviceId}`} data-stay>
      <FormToken viewer={viewer} purpose={`storage:${deviceId}`} />
      <input type="hidden" name="from" value={stores ? 'on' : 'off'} />
      {list && <input type="hidden" name="list" value={list.toString()} />}
      <button type="submit" class="switch" role="switch" aria-checked={stores}>
        <span class="unseen">Store the reports of {toVisible(deviceName)}: </span>
        {stores ? 'On' : 'Off'}
      </button>
    </form>
  )
}

export interface PairFormProps {
  viewer: Viewer
  device: Pick<Device, 'deviceId' | 'deviceName'>
  /** It is what the page is for. Default false. */
  isMain?: boolean
}

/** The button is named `Pair` on every page; its accessible description names the device. */
export function PairForm({ viewer, device, isMain = false }: PairFormProps) {
  return (
    <form method="post" action={pairingPath}>
      <FormToken viewer={viewer} purpose={`pair:${device.deviceId}`} />
      <input type="hidden" name="device_id" value={device.deviceId} />
      <button type="submit" class={isMain ? 'main' : undefined} aria-describedby={toNameId(device.deviceId)}>
        Pair
      </button>
    </form>
  )
}

export function toNameId(deviceId: string): string {
  return `name-${deviceId}`
}
