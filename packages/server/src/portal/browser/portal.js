// @ts-check
/**
 * What the portal's pages can do in browsers that run scripts. Served unchanged, without a build step.
 * `data-live-source`: follows the server's events. `data-live`: an element that is replaced when the server announces a
 * change. `data-ends-at`: a countdown. `data-copy`: a Copy button.
 */

/** The browser's clock minus the server's clock, in ms. */
const aheadMs = Date.now() - Number(document.querySelector('[data-now]')?.getAttribute('data-now') ?? Date.now())

for (const source of document.querySelectorAll('[data-live-source]')) follow(source)
for (const button of document.querySelectorAll('[data-copy]')) offerCopy(button)
count()
setInterval(count, 250)

/** @param {Element} notice Shown while the connection is lost. */
function follow(notice) {
  const events = new EventSource(notice.getAttribute('data-live-source') ?? '')
  let lastEventAt = new Date()
  events.addEventListener('changed', () => void refresh())
  events.addEventListener('open', () => {
    notice.setAttribute('hidden', '')
  })
  for (const kind of ['changed', 'same']) events.addEventListener(kind, () => (lastEventAt = new Date()))
  events.addEventListener('error', () => {
    const since = notice.querySelector('[data-live-since]')
    if (since) since.textContent = lastEventAt.toLocaleTimeString()
    notice.removeAttribute('hidden')
  })
}

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  // The session has ended: loading the page again leads to the sign-in page.
  if (answer.redirected) return location.reload()
  if (!answer.ok) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-live]')) {
    const replacement = part.id && next.getElementById(part.id)
    if (!replacement || isBusy(part) || replacement.isEqualNode(part)) continue
    const focused = focusIndex(part)
    part.replaceWith(replacement)
    for (const button of replacement.querySelectorAll('[data-copy]')) offerCopy(button)
    const again = replacement.querySelectorAll('a, button, [tabindex]').item(focused - 1)
    if (focused > 0 && again instanceof HTMLElement) again.focus()
  }
  count()
}

/**
 * Whether the user is typing in the element or has opened a disclosure in it.
 * @param {Element} part
 */
function isBusy(part) {
  return part.querySelector('input:focus, textarea:focus, details[open]') !== null
}

/**
 * The index, from 1, of the focused element among the focusable ones; 0 = none has the focus.
 * @param {Element} part
 */
function focusIndex(part) {
  return (
    [...part.querySelectorAll('a, button, [tabindex]')].indexOf(/** @type {Element} */ (document.activeElement)) + 1
  )
}

/** @param {Element} button */
function offerCopy(button) {
  if (!navigator.clipboard) return
  button.removeAttribute('hidden')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.getAttribute('data-copy') ?? '')
    // Only the first text node changes: the rest of the label tells screen readers what is copied.
    const word = button.firstChild
    if (!word || word.textContent === 'Copied') return
    const label = word.textContent
    word.textContent = 'Copied'
    setTimeout(() => (word.textContent = label), 2_000)
  })
}

function count() {
  for (const ring of document.querySelectorAll('[data-ends-at]')) {
    const leftMs = Math.max(0, Number(ring.getAttribute('data-ends-at')) - (Date.now() - aheadMs))
    const left = Math.ceil(leftMs / 1_000)
    const number = ring.querySelector('[data-seconds]')
    if (!number || number.textContent === String(left)) continue
    number.textContent = String(left)
    ring.querySelector('[data-arc]')?.setAttribute('stroke-dasharray', `${left} 60`)
    const announcement = document.querySelector('[data-announce]')
    if (announcement && [60, 30, 10].includes(left)) announcement.textContent = `${left} seconds left`
    if (left === 0) void refresh()
  }
}
