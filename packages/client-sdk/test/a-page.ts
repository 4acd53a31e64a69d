/** A fake page: its address, its history, its popups. */
import type { Page } from '../src/ports.ts'

export interface FakePage extends Page {
  /** The addresses that the page went to. */
  visited: string[]
  /** The popups that were opened, with their features. */
  popups: (FakePopup & { features: string })[]
  /** Popups are not opened. */
  isBlocking: boolean
  isClosed: boolean
  /** Calls the listeners of an event. */
  dispatch(type: string, event?: object): void
}

export interface FakePopup {
  closed: boolean
  /** Undefined while the popup shows a page of another origin. */
  address: string | undefined
  location: { href: string; replace(url: string): void }
  close(): void
}

export function aPage(address: string, opener: Page['opener'] = null): FakePage {
  let href = address
  const listeners = new Set<{ type: string; listener: (event: never) => void }>()
  const page: FakePage = {
    visited: [],
    popups: [],
    isBlocking: false,
    isClosed: false,
    close: () => void (page.isClosed = true),
    addEventListener: (type, listener) => void listeners.add({ type, listener }),
    removeEventListener(type, listener) {
      for (const one of listeners) if (one.type === type && one.listener === listener) listeners.delete(one)
    },
    dispatch(type, event = {}) {
      for (const one of listeners) if (one.type === type) one.listener(event as never)
    },
    opener,
    screen: { width: 1_280, height: 800 },
    location: {
      get href() {
        return href
      },
      assign: (url) => void page.visited.push(String(url)),
    },
    history: { state: null, replaceState: (_state, _title, url) => void (href = new URL(String(url), href).href) },
    open(_url, _name, features) {
      if (page.isBlocking) return null
      const popup = Object.assign(aPopup(), { features })
      page.popups.push(popup)
      return popup
    },
  }
  return page
}

function aPopup(): FakePopup {
  const popup: FakePopup = {
    closed: false,
    address: 'about:blank',
    close() {
      popup.closed = true
    },
    location: {
      get href() {
        if (popup.address === undefined) throw new DOMException('Blocked a frame', 'SecurityError')
        return popup.address
      },
      replace: () => void (popup.address = undefined),
    },
  }
  return popup
}
