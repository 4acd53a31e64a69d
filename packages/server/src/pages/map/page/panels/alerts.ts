/** The alerts: active ones first, with their advice. A new one is announced once. */
import type { AirAlert, AirSilentSensor } from '@posrep/spec'
import { toX, toY } from '../../model/mercator.ts'
import { isRecent, trackIdsOf } from '../../model/picture.ts'
import { fit, nearestX } from '../../model/view.ts'
import { alertWords } from '../../model/words.ts'
import { badge, find, make, setText, time } from '../dom.ts'
import type { Session } from '../session.ts'
import { type Entry, showEntries } from './list.ts'

const maxShown = 100
/** Of several new alerts at once. */
const maxSaid = 3
const saidMs = 10_000

export function showAlerts(root: HTMLElement, session: Session): void {
  const list = find(root, '[data-alerts]')
  const none = find(root, '[data-no-alerts]')
  const more = find(root, '[data-more-alerts]')
  const counter = find(root, '[data-count="air-alerts"]')
  const announcer = find(root, '[data-announce]')
  const { picture } = session
  const announced = new Set<string>()
  let isFirst = true
  /** The page has those that ended before it was opened; the stream has not. */
  const endedBefore = [...list.querySelectorAll('.ended')].map((item, index) => keep(item, `before ${index}`))

  function show(): void {
    const active = picture.alerts.filter(({ state }) => state === 'active')
    setText(counter, String(active.length))
    counter.classList.toggle('air-count-bad', active.length > 0)
    const before = endedBefore.filter(({ endedAt }) => isRecent(endedAt, picture.timeMs))
    none.hidden = picture.alerts.length + before.length > 0
    const left = Math.max(0, picture.alerts.length - maxShown) + picture.moreAlerts
    setText(more, `${left} more are not listed.`)
    more.hidden = left === 0
    announce(active)
    const entries = picture.alerts.slice(0, maxShown).map((alert): Entry => {
      return { key: alert.id, version: `${alert.updatedAt} ${alert.state}`, toItem: () => toItem(alert) }
    })
    showEntries(list, [...entries, ...before])
  }

  function announce(active: AirAlert[]): void {
    const news = active.filter(({ id }) => !announced.has(id))
    for (const { id } of news) announced.add(id)
    // Those that were there before the page are in the list.
    if (!isFirst && news.length > 0) say(toSpeech(news))
    isFirst = false
  }

  /** Once: the text would be read again, and become wrong, if it stayed. */
  function say(text: string): void {
    setText(announcer, text)
    setTimeout(() => {
      if (announcer.textContent === text) setText(announcer, '')
    }, saidMs)
  }

  function toItem(alert: AirAlert): HTMLElement {
    const { kind, state, text, updatedAt, endedAt, conflict, silentSensor } = alert
    const isActive = state === 'active'
    const silent = isActive ? silentSensor : undefined
    const tracks = trackIdsOf(alert)
    return make(
      'li',
      { class: isActive ? 'active' : 'ended' },
      make(
        'p',
        { class: 'split' },
        badge(isActive ? 'bad' : 'quiet', isActive ? alertWords[kind] : `${alertWords[kind]}, ended`),
        make('span', { class: 'help' }, time(Date.parse(endedAt ?? updatedAt))),
      ),
      make('p', {}, tracks.length > 0 ? toButton(alert) : silent ? toDeviceLink(silent, text) : text),
      silent && make('p', { class: 'help' }, 'Last report ', time(Date.parse(silent.lastSeen))),
      ...(isActive ? (conflict?.advice ?? []) : [])
        .slice(0, 3)
        .map(({ text }) => make('p', { class: 'help air-advice' }, text)),
    )
  }

  function toButton({ id, text }: AirAlert): HTMLElement {
    const button = make('button', { type: 'button', class: 'link' }, text)
    // What it is about may have changed since.
    button.addEventListener('click', () => lookAt(picture.alerts.find((alert) => alert.id === id)))
    return button
  }

  /** Selects the first of the targets, and shows all of them. */
  function lookAt(alert: AirAlert | undefined): void {
    if (!alert) return
    const targets = trackIdsOf(alert).flatMap((id) => picture.find(id) ?? [])
    const [first] = targets
    if (!first) return
    session.select(first.id)
    const closest = alert.conflict?.tracks.map(({ closestPosition }) => closestPosition) ?? []
    const places = [
      ...targets.map(({ shownX, shownY }) => ({ x: nearestX(shownX, first.shownX), y: shownY })),
      ...closest.map(({ lat, lon }) => ({ x: nearestX(toX(lon), first.shownX), y: toY(lat) })),
    ]
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)]
    const box = { west: Math.min(...xs), east: Math.max(...xs), north: Math.min(...ys), south: Math.max(...ys) }
    session.stopFollowing()
    session.isMovedByUser = true
    session.map.setView(fit(session.map.view(), box, session.margins(), 0.05))
  }

  session.on('frame', show)
}

function keep(item: Element, key: string): Entry & { endedAt: string } {
  item.setAttribute('data-key', key)
  item.setAttribute('data-version', '')
  return { key, version: '', toItem: () => item, endedAt: item.querySelector('time')?.dateTime ?? '' }
}

function toDeviceLink({ deviceId }: AirSilentSensor, text: string): HTMLElement {
  return make('a', { href: `/devices/${encodeURIComponent(deviceId)}` }, text)
}

function toSpeech(news: AirAlert[]): string {
  const rest = news.length - maxSaid
  return [...news.slice(0, maxSaid).map(({ text }) => text), ...(rest > 0 ? [`${rest} more alerts`] : [])].join('. ')
}
