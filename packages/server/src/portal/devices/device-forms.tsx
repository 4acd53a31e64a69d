/** The forms of a device that several pages show: Pair, the storage switch, name and tags. */

import { toVisible } from '@posrep/kernel/visible'
import type { Device } from '@posrep/spec'
import { Field } from '../../pages/forms/field.tsx'
import { devicePath, pairingPath } from '../layout/paths.ts'
import { FormToken, type Viewer } from '../layout/viewer.tsx'

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

export interface DetailsFormProps {
  viewer: Viewer
  device: Device
  /** The query of the list to return to. Default: the page of the device. */
  list?: URLSearchParams
  refused?: RefusedDetails | undefined
}

/** What was typed, and why it was refused. */
export interface RefusedDetails {
  name: string
  tags: string
  reason: string
  /** The field that the reason is about. */
  field: 'name' | 'tags'
}

/** The name and the tags of a device. */
export function DetailsForm({ viewer, device, list, refused }: DetailsFormProps) {
  const { deviceId, deviceName, tags = [] } = device
  const reasonOf = (field: RefusedDetails['field']) => (refused?.field === field ? [refused.reason] : undefined)
  return (
    <form class="form" method="post" action={devicePath(deviceId, 'details')}>
      <FormToken viewer={viewer} purpose={`details:${deviceId}`} />
      {list && <input type="hidden" name="list" value={list.toString()} />}
      <Field id={toFieldId('name', deviceId)} label="Name" wrong={reasonOf('name')}>
        {(inputProps) => (
          <input
            {...inputProps}
            name="name"
            required
            maxLength={100}
            value={refused?.name ?? deviceName}
            autocomplete="off"
          />
        )}
      </Field>
      <Field
        id={toFieldId('tags', deviceId)}
        label="Tags"
        wrong={reasonOf('tags')}
        help="Up to 10 words, with spaces between. The first one is the group."
      >
        {(inputProps) => (
          <input
            {...inputProps}
            name="tags"
            maxLength={400}
            value={refused?.tags ?? tags.join(' ')}
            autocomplete="off"
          />
        )}
      </Field>
      <div>
        <button type="submit">Save</button>
      </div>
    </form>
  )
}

export function toFieldId(field: RefusedDetails['field'], deviceId: string): string {
  return `device-${field}-${deviceId}`
}

export function toNameId(deviceId: string): string {
  return `name-${deviceId}`
}
