/** The pages that ask for confirmation before tokens are revoked or a device is removed. */

import { toVisible } from '@posrep/kernel/visible'
import type { Device } from '@posrep/spec'
import type { ComponentChildren } from 'preact'
import { Identifier } from '../layout/identifier.tsx'
import { devicePath } from '../layout/paths.ts'
import { type PortalPage, portalPage } from '../layout/portal-layout.tsx'
import { FormToken, type Viewer } from '../layout/viewer.tsx'

export function revokeTokensPage(viewer: Viewer, device: Device): PortalPage {
  return confirmPage({
    viewer,
    device,
    part: 'revoke',
    title: 'Revoke tokens',
    question: 'Revoke the tokens of',
    keep: 'Keep tokens',
    consequence:
      'The tokens stop working within a second. Reports are refused until the device has new tokens: pair it again, or let its client request them.',
  })
}

export function removeDevicePage(viewer: Viewer, device: Device): PortalPage {
  return confirmPage({
    viewer,
    device,
    part: 'remove',
    title: 'Remove device',
    question: 'Remove',
    keep: 'Keep device',
    consequence:
      'Its tokens stop working within a second, and nothing more is sent to its relay, also of the messages that wait. This cannot be undone. The sensor can be registered again later.',
    choice: {
      name: 'release_local_id',
      label: 'Release the local ID: the sensor belongs to another account now',
      help: 'Otherwise no other account can pair a sensor with this local ID for 30 days.',
    },
  })
}

interface ConfirmProps {
  viewer: Viewer
  device: Device
  part: 'revoke' | 'remove'
  title: string
  question: string
  keep: string
  consequence: ComponentChildren
  /** A checkbox, not checked. */
  choice?: { name: string; label: string; help: string }
}

function confirmPage({ viewer, device, part, title, question, keep, consequence, choice }: ConfirmProps): PortalPage {
  const { deviceId, deviceName } = device
  return portalPage({
    viewer,
    title,
    tab: 'devices',
    width: 'narrow',
    children: (
      <>
        <h1>
          {question} <bdi>{toVisible(deviceName)}</bdi>?
        </h1>
        <p>{consequence}</p>
        <Identifier value={deviceId} />
        <form method="post" action={devicePath(deviceId, part)}>
          <FormToken viewer={viewer} purpose={`${part}:${deviceId}`} />
          {choice && (
            <div class="field">
              <label>
                <input type="checkbox" name={choice.name} aria-describedby={`${choice.name}-help`} /> {choice.label}
              </label>
              <p class="help" id={`${choice.name}-help`}>
                {choice.help}
              </p>
            </div>
          )}
          <div class="choices">
            <button type="submit" class="danger">
              {title}
            </button>
            <a class="button" href={devicePath(deviceId)}>
              {keep}
            </a>
          </div>
        </form>
      </>
    ),
  })
}
