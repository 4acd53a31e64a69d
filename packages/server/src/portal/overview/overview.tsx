/** The overview: figures of the account, what needs attention first, and the positions of the last hour. */
import { toVisible } from '@posrep/kernel/visible'
import type { BuriedMessages } from '@posrep/spec'
import type { ComponentChildren } from 'preact'
import { Live } from '../../pages/live.tsx'
import { AirScript, CompactAirMap, type OwnMap, toImageOrigin } from '../air/air-map.tsx'
import type { DeviceFilter } from '../devices/device-state.ts'
import { Badge } from '../layout/badge.tsx'
import { Chart } from '../layout/chart.tsx'
import { deliveriesPath, devicesPath, overviewLivePath, pairingStartPath, sensorsPath } from '../layout/paths.ts'
import { type PortalPage, portalPage } from '../layout/portal-layout.tsx'
import type { Viewer } from '../layout/viewer.tsx'
import { AttentionList, type Concern } from './attention.tsx'

export interface RelayFigures {
  /** Devices with a relay. */
  relays: number
  pending: number
  buried: number
  /** In the last hour. */
  delivered: number
  /** Attempts of the last hour that were not accepted. */
  failed: number
  /** From the queue to the relay's answer; of the last minutes. */
  averageLagMs: number | undefined
}

export type DeviceWithBuried = BuriedMessages & { deviceName: string }

/** Devices with messages that are set aside, whose names are shown. */
const maxNamed = 5

export interface FirstStepsDone {
  isRegistered: boolean
  hasTokens: boolean
  hasRelay: boolean
}

export interface OverviewProps {
  viewer: Viewer
  devices: number
  counts: Partial<Record<DeviceFilter, number>>
  /** What needs attention first comes first. */
  attention: Concern[]
  /** The starts of the minutes of the last hour. */
  times: number[]
  /** Of all devices, in each of these minutes. */
  positions: number[]
  relays: RelayFigures
  setAside: DeviceWithBuried[]
  /** Until a device has reported: what is done of the first steps. */
  firstSteps: FirstStepsDone | undefined
  /** Undefined without an air picture. */
  ownMap: OwnMap | undefined
}

export function overviewPage(props: OverviewProps): PortalPage {
  return portalPage({
    viewer: props.viewer,
    title: 'Overview',
    tab: 'overview',
    hasCharts: true,
    livePath: overviewLivePath,
    ...(props.ownMap && { head: <AirScript />, imageOrigin: toImageOrigin(props.ownMap) }),
    children: <Overview {...props} />,
  })
}

function Overview(props: OverviewProps) {
  const { viewer, firstSteps, attention, times, positions, relays, setAside, ownMap } = props
  const picture = (
    <div key="picture">
      {ownMap && <CompactAirMap ownMap={ownMap} title="Air picture" />}
      <Live id="figures" class="panel">
        <Figures {...props} />
      </Live>
    </div>
  )
  const concerns = (
    <div key="concerns">
      <section class="panel part" aria-labelledby="attention-heading">
        <h2 id="attention-heading">Needs attention</h2>
        <Live id="no-attention">
          {firstSteps && <FirstSteps done={firstSteps} />}
          {relays.buried > 0 && <SetAside buried={relays.buried} devices={setAside} />}
          {!firstSteps && relays.buried === 0 && attention.length === 0 && <NothingToDo />}
        </Live>
        <AttentionList concerns={attention} nowMs={viewer.nowMs} />
      </section>
      <section class="panel part" aria-labelledby="traffic-heading">
        <h2 id="traffic-heading">Last hour</h2>
        <Chart
          id="positions-chart"
          title="Positions a minute, all devices"
          unit=""
          times={times}
          series={[{ label: 'Positions', values: positions }]}
        />
      </section>
    </div>
  )
  return (
    <>
      <h1>Overview</h1>
      {/* On a phone a new user's next step is above the empty map. */}
      {firstSteps ? (
        <div class="overview begins">{[concerns, picture]}</div>
      ) : (
        <div class="overview">{[picture, concerns]}</div>
      )}
    </>
  )
}

function Figures({ devices, counts, positions, relays }: OverviewProps) {
  const { delivered, failed, averageLagMs, pending, buried } = relays
  const attempts = delivered + failed
  const { failing = 0, retrying = 0 } = counts
  const isFirstMinute = (counts.live ?? 0) > 0 && positions.every((count) => count === 0)
  return (
    <dl class="figures-row">
      <Figure label="Live" href={`${devicesPath}?state=live`} help={`of ${devices} ${plural(devices, 'device')}`}>
        {counts.live ?? 0}
      </Figure>
      <Figure label="Silent" href={`${devicesPath}?state=silent`} help="no report for longer than usual">
        {counts.silent ?? 0}
      </Figure>
      <Figure label="Never reported" href={`${devicesPath}?state=never`} help="registered, and no report yet">
        {counts.never ?? 0}
      </Figure>
      <Figure label="Relays retrying" href={`${devicesPath}?state=retrying`} help="they accept no messages now">
        {retrying > 0 ? <Badge tone="busy">{retrying}</Badge> : 0}
      </Figure>
      <Figure label="Relays Failed" href={`${devicesPath}?state=failing`} help="nothing is forwarded">
        {failing > 0 ? <Badge tone="bad">{failing}</Badge> : 0}
      </Figure>
      <Figure label="Positions" help={isFirstMinute ? 'first figure after a minute' : 'in the last whole minute'}>
        {isFirstMinute ? '–' : toCount(positions.at(-1) ?? 0)}
      </Figure>
      <Figure label="Relay success" help={attempts === 0 ? 'no delivery before this minute' : toSample(relays)}>
        {attempts === 0 ? '–' : `${toPercent(delivered / attempts)} %`}
      </Figure>
      <Figure label="Relay lag" help={`${toCount(pending)} waiting, ${toCount(buried)} set aside`}>
        {averageLagMs === undefined ? '–' : toDuration(averageLagMs)}
      </Figure>
    </dl>
  )
}

interface FigureProps {
  label: string
  help: string
  href?: string
  children: ComponentChildren
}

function Figure({ label, help, href, children }: FigureProps) {
  return (
    <div>
      <dt>{href === undefined ? label : <a href={href}>{label}</a>}</dt>
      <dd>
        <span class="figure">{children}</span>
        <span class="help">{help}</span>
      </dd>
    </div>
  )
}

function SetAside({ buried, devices }: { buried: number; devices: readonly DeviceWithBuried[] }) {
  const named = devices.slice(0, maxNamed)
  return (
    <p>
      <Badge tone="busy">{toCount(buried)} set aside</Badge> {buried === 1 ? 'A relay' : 'Relays'} did not accept{' '}
      {buried === 1 ? 'this message' : 'these messages'}. The lists have the reasons, and Resend:{' '}
      {named.map(({ deviceId, deviceName, buried: ofDevice }, index) => (
        <>
          {index > 0 && ', '}
          <a key={deviceId} href={deliveriesPath(deviceId, 'buried')}>
            <bdi>{toVisible(deviceName)}</bdi> ({toCount(ofDevice)})
          </a>
        </>
      ))}
      {devices.length > named.length && `, and ${toCount(devices.length - named.length)} more devices`}.
    </p>
  )
}

function NothingToDo() {
  return (
    <p class="quiet">
      Nothing: no relay is Failed or retrying, no message is set aside, and no device has become silent.
    </p>
  )
}

/** It ticks itself, because it is a live part. The step that comes next has the button. */
function FirstSteps({ done }: { done: FirstStepsDone }) {
  const steps = [
    { isDone: done.isRegistered, text: 'Register a sensor', href: sensorsPath },
    { isDone: done.hasTokens, text: 'Pair it, or let its client request tokens', href: pairingStartPath },
    { isDone: false, text: 'Wait for its first report: it appears here and on the map', href: undefined },
    { isDone: done.hasRelay, text: 'Set a relay, if its reports are to be forwarded', href: devicesPath },
  ]
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <ol class="first-steps">
      {steps.map((step) => (
        <li key={step.text} aria-current={step === next ? 'step' : undefined}>
          <Badge tone={step.isDone ? 'good' : 'quiet'}>{step.isDone ? 'Done' : 'To do'}</Badge>{' '}
          {step.href === undefined ? step.text : <a href={step.href}>{step.text}</a>}
        </li>
      ))}
    </ol>
  )
}

function toSample({ delivered, failed, relays }: RelayFigures): string {
  const attempts = delivered + failed
  return `${toCount(attempts)} ${plural(attempts, 'attempt')} in the last hour, ${toCount(relays)} ${plural(relays, 'relay')}`
}

function toCount(count: number): string {
  return count.toLocaleString('en')
}

/** Never 100 when something failed. */
function toPercent(share: number): number {
  return share === 1 ? 100 : Math.min(99.9, Math.floor(share * 1_000) / 10)
}

function toDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`
}
