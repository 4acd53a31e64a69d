// @ts-check
/**
 * What the portal's pages do more where scripts run. Served as it stands.
 * Parts that are marked `data-live` are fetched anew when the server says that something changed; `data-ends-at` counts
 * down; `data-copy` copies.
 */

/** How far the browser's clock is ahead of the server's, in ms. */
const aheadMs = Date.now() - Number(document.querySelector('[data-now]')?.getAttribute('data-now') ?? Date.now())

for (const source of document.querySelectorAll('[data-live-source]')) follow(source)
for (const button of document.querySelectorAll('[data-copy]')) offerCopy(button)
count()
setInterval(count, 250)

/** @param {Element} note Says that the link is lost, while it is. */
function follow(note) {
  const events = new EventSource(note.getAttribute('data-live-source') ?? '')
  let heardAt = new Date()
  events.addEventListener('changed', () => void refresh())
  events.addEventListener('open', () => {
    note.setAttribute('hidden', '')
  })
  for (const kind of ['changed', 'same']) events.addEventListener(kind, () => (heardAt = new Date()))
  events.addEventListener('error', () => {
    const since = note.querySelector('[data-live-since]')
    if (since) since.textContent = heardAt.toLocaleTimeString()
    note.removeAttribute('hidden')
  })
}

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  // Signed out meanwhile: the page says so when it is loaded again.
  if (answer.redirected) return location.reload()
  if (!answer.ok) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-live]')) {
    const replacement = part.id && next.getElementById(part.id)
    if (!replacement || isBusy(part) || replacement.isEqualNode(part)) continue
    const focused = focusIn(part)
    part.replaceWith(replacement)
    for (const button of replacement.querySelectorAll('[data-copy]')) offerCopy(button)
    const again = replacement.querySelectorAll('a, button, [tabindex]').item(focused - 1)
    if (focused > 0 && again instanceof HTMLElement) again.focus()
  }
  count()
}

/**
 * Somebody is typing in it, or has opened something.
 * @param {Element} part
 */
function isBusy(part) {
  return part.querySelector('input:focus, textarea:focus, details[open]') !== null
}

/**
 * The place of the focused element among those that take the focus, from 1; 0 = none.
 * @param {Element} part
 */
function focusIn(part) {
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
    // The rest of the label says what is copied, to those who hear it.
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
