/**
 * The alerts: active ones first, with their advice, one entry for each cluster of conflicts; then the newest ended
 * ones, and the others behind "Show all". A new alert is announced once.
 */

import type { AirMap } from '@posrep/air/map'
import { isRecent, trackIdsOf } from '@posrep/air/map'
import { alertWords, inUnits, type Units } from '@posrep/air/words'
import type { AirAlert, AirSilentSensor } from '@posrep/spec'
import { badge, find, make, setText, time } from '../dom.ts'
import { type AlertGroup, groupActive, maxEndedShown, moreOf, sortEnded } from './alert-groups.ts'
import { type Entry, showEntries } from './list.ts'

const maxShown = 100
/** Of several new alerts at once. */
const maxSaid = 3
const saidMs = 10_000

export function showAlerts(root: HTMLElement, map: AirMap): void {
  const list = find(root, '[data-alerts]')
  const endedList = find(root, '[data-ended-alerts]')
  const allEnded = find(root, '[data-all-ended]')
  const allEndedLabel = find(allEnded, 'summary')
  const none = find(root, '[data-no-alerts]')
  const more = find(root, '[data-more-alerts]')
  const counter = find(root, '[data-count="air-alerts"]')
  const announcer = find(root, '[data-announce]')
  const { picture, choices } = map
  const announced = new Set<string>()
  let isFirst = true
  /** The page has those that ended before it was opened; the stream has not. */
  const endedBefore = [...list.querySelectorAll('.ended'), ...endedList.querySelectorAll('.ended')].map((item, index) =>
    keep(item, `before ${index}`),
  )

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
    const listed = picture.alerts.slice(0, maxShown)
    const ended = sortEnded([...listed, ...before]).map((one) => ('toItem' in one ? one : toEntry([one])))
    showEntries(list, [...groupActive(listed).map(toEntry), ...ended.slice(0, maxEndedShown)])
    showEntries(endedList, ended.slice(maxEndedShown))
    allEnded.hidden = ended.length <= maxEndedShown
    setText(allEndedLabel, `Show all ${ended.length} ended`)
  }

  function announce(active: AirAlert[]): void {
    const news = active.filter(({ id }) => !announced.has(id))
    for (const { id } of news) announced.add(id)
    // Those that were there before the page are in the list.
    if (!isFirst && news.length > 0) say(toSpeech(news, choices.units))
    isFirst = false
  }

  /** Once: the text would be read again, and become wrong, if it stayed. */
  function say(text: string): void {
    setText(announcer, text)
    setTimeout(() => {
      if (announcer.textContent === text) setText(announcer, '')
    }, saidMs)
  }

  /** It has the key of its first alert, so that it stays the same element while others join and leave. */
  function toEntry(group: AlertGroup): Entry {
    const [{ id }, ...others] = group
    const version = [choices.units, ...group.map(({ id, updatedAt, state }) => `${id} ${updatedAt} ${state}`)].join()
    return { key: id, version, toItem: () => toItem(group[0], others.length > 0 ? toOthers(group) : undefined) }
  }

  function toOthers(group: AlertGroup): HTMLElement {
    const [, ...others] = group
    const items = others.map((alert) => make('li', {}, toButton(alert)))
    return make(
      'details',
      {},
      make('summary', { class: 'help' }, moreOf(group)),
      make('ul', { class: 'air-list' }, ...items),
    )
  }

  function toItem(alert: AirAlert, others?: HTMLElement): HTMLElement {
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
      make(
        'p',
        {},
        tracks.length > 0 ? toButton(alert) : silent ? toDeviceLink(silent, text) : inUnits(text, choices.units),
      ),
      silent && make('p', { class: 'help' }, 'Last report ', time(Date.parse(silent.lastSeen))),
      ...(isActive ? (conflict?.advice ?? []) : [])
        .slice(0, 3)
        .map(({ text }) => make('p', { class: 'help air-advice' }, inUnits(text, choices.units))),
      others,
    )
  }

  function toButton({ id, text }: AirAlert): HTMLElement {
    const button = make('button', { type: 'button', class: 'link' }, inUnits(text, choices.units))
    // What it is about may have changed since.
    button.addEventListener('click', () => {
      const alert = picture.alerts.find((one) => one.id === id)
      if (alert) map.showAlert(alert)
    })
    return button
  }

  map.on('frame', show)
}

function keep(item: Element, key: string): Entry & { endedAt: string } {
  item.setAttribute('data-key', key)
  item.setAttribute('data-version', '')
  return { key, version: '', toItem: () => item, endedAt: item.querySelector('time')?.dateTime ?? '' }
}

function toDeviceLink({ deviceId }: AirSilentSensor, text: string): HTMLElement {
  return make('a', { href: `/devices/${encodeURIComponent(deviceId)}` }, text)
}

function toSpeech(news: AirAlert[], units: Units): string {
  const rest = news.length - maxSaid
  return [
    ...news.slice(0, maxSaid).map(({ text }) => inUnits(text, units)),
    ...(rest > 0 ? [`${rest} more alerts`] : []),
  ].join('. ')
}
