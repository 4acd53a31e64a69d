/** The settings of the air picture and of its output to TAK servers: two groups of the table. */
import { type SeparationSetting, separationSettings } from '../air/alerts/separation.ts'
import { type CotDestination, readCotDestinations } from './cot-destinations.ts'
import { setting } from './setting.ts'
import { readers } from './value-readers.ts'

const { text, atLeastOne, oneOf, tiles } = readers

export const air = {
  air: setting<'on' | 'off'>(
    'air',
    'on|off',
    'the air picture: tracks of all sensors of an account, alerts, and the map',
    oneOf('on', 'off'),
    'on',
  ),
  airTargets: setting('air-targets', 'N', 'maximum number of tracks per account', atLeastOne, 10_000),
  airSeparation: setting<SeparationSetting>(
    'air-separation',
    'PRESET',
    `limits of conflict alerts: ${separationSettings.join(', ')}`,
    oneOf(...separationSettings),
    'automatic',
  ),
  airBasemap: setting<string | undefined>(
    'air-basemap',
    'FILE',
    'GeoJSON that the map of the air picture shows above the land',
    text,
    undefined,
  ),
  airTiles: setting<string | undefined>(
    'air-tiles',
    'URL',
    'map tiles to show instead of the own land, as https://tiles.example.com/{z}/{x}/{y}.png; browsers load them from there',
    tiles,
    undefined,
  ),
  airNotice: setting<string | undefined>(
    'air-notice',
    'TEXT',
    'notice on the map, if the owner of the tiles or of the basemap asks for one, as © OpenStreetMap contributors',
    text,
    undefined,
  ),
} as const

export const airCot = {
  airCot: setting<CotDestination[]>(
    'air-cot',
    'ACCOUNT=URL,…',
    'send the air picture of an account to a TAK server, as Cursor on Target: ACCOUNT=tls://HOST:PORT',
    readCotDestinations,
    [],
  ),
  airCotCa: setting<string | undefined>(
    'air-cot-ca',
    'FILE',
    'PEM certificate of the authority of the TAK server; by default the public authorities',
    text,
    undefined,
  ),
  airCotCert: setting<string | undefined>(
    'air-cot-cert',
    'FILE',
    'PEM certificate by which the TAK server knows this one',
    text,
    undefined,
  ),
  airCotKey: setting<string | undefined>('air-cot-key', 'FILE', 'PEM private key of that certificate', text, undefined),
} as const
