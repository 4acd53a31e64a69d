/** The start page of pairing: the list of devices, with `Pair` as the only action. */

import { toVisible } from '@posrep/kernel/visible'
import { PageLinks } from '../../pages/page-links.tsx'
import { Identifier } from '../layout/identifier.tsx'
import { pairingStartPath, sensorsPath } from '../layout/paths.ts'
import { type PortalPage, portalPage } from '../layout/portal-layout.tsx'
import { PairForm, toNameId } from './device-forms.tsx'
import { type DeviceListProps, Nothing } from './devices.tsx'
import { Search } from './search.tsx'

export function pairingStartPage(props: DeviceListProps): PortalPage {
  const { viewer, devices, search } = props
  return portalPage({
    viewer,
    title: 'Pair a device',
    tab: 'pairing',
    children: (
      <>
        <div class="heading">
          <h1>Pair a device</h1>
          <p class="quiet">
            Choose the sensor that you want to pair. It then has 60 seconds to call: press its pairing button, or start
            its agent.
          </p>
        </div>
        <Search path={pairingStartPath} name="clientUniqueId" search={search} />
        <div class="part" id="found" data-found>
          {devices.length === 0 ? (
            <NothingToPair search={search} />
          ) : (
            <ul class="rows panel">
              {devices.map((device) => (
                <li key={device.deviceId} class="row split">
                  <div>
                    <h2 id={toNameId(device.deviceId)}>
                      <bdi>{toVisible(device.deviceName)}</bdi>
                    </h2>
                    <Identifier value={device.deviceId} />
                  </div>
                  <PairForm viewer={viewer} device={device} />
                </li>
              ))}
            </ul>
          )}
          <PageLinks {...props} path={pairingStartPath} query={{ clientUniqueId: search }} />
        </div>
      </>
    ),
  })
}

/** The search may be a local ID from a QR code: then the page offers to register that sensor. */
function NothingToPair({ search }: { search: string }) {
  if (!/^[A-Za-z0-9._:-]{1,255}$/.test(search) || search.startsWith('urn:')) return <Nothing search={search} />
  return (
    <div class="panel part">
      <p>
        No device of your account has <code>{search}</code> in its name, its ID or its tags. If this is the local ID of
        your sensor, register the sensor first. Upper and lower case matter.
      </p>
      <p>
        <a class="button" href={`${sensorsPath}?clientUniqueId=${encodeURIComponent(search)}`}>
          Register this sensor
        </a>
      </p>
    </div>
  )
}
