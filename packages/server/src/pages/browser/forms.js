// @ts-check
/**
 * What forms can do more with scripts. `data-search`: a form that is sent while the user types; links to other filters,
 * orders and pages of its list, in `data-found`, replace the list without loading the page. `data-stay`: a form
 * that is sent in the background, so that the page stays as it is. `data-shows`: a checkbox that shows a password.
 * `data-names-email`: a button that names the typed email.
 */

const typingMs = 250
const saidMs = 10_000

export function enhanceForms() {
  for (const form of document.querySelectorAll('form[data-search]')) searchAsTyped(form)
  for (const box of document.querySelectorAll('input[data-shows]')) showPassword(box)
  for (const button of document.querySelectorAll('button[data-names-email]')) nameEmail(button)
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (form instanceof HTMLFormElement && form.hasAttribute('data-stay')) void stay(event, form)
  })
}

/** @param {Element} form */
function searchAsTyped(form) {
  if (!(form instanceof HTMLFormElement)) return
  let timer = 0
  const searchInTurn = () => inTurn(() => search(form))
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(searchInTurn, typingMs)
  })
  form.addEventListener('change', searchInTurn)
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('[data-found] a') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!(link instanceof HTMLAnchorElement) || !isPlain || link.hasAttribute('download')) return
    const url = new URL(link.href)
    if (url.pathname !== new URL(form.action).pathname) return
    event.preventDefault()
    inTurn(() => follow(form, url, link))
    searchInTurn()
  })
  addEventListener('popstate', () => location.reload())
  // The user may have typed before this script ran.
  searchInTurn()
}

let turn = Promise.resolve()

/**
 * One list is loaded after the other, so that the last one is what was asked for last.
 * @param {() => Promise<void>} work
 */
function inTurn(work) {
  turn = turn.then(work, work)
}

/**
 * Shows the list of a link, which keeps the focus. Back shows the list before.
 * @param {HTMLFormElement} form
 * @param {URL} url
 * @param {HTMLAnchorElement} link
 */
async function follow(form, url, link) {
  if (!(await load(url))) return
  history.pushState(null, '', url)
  const order = form.elements.namedItem('sort')
  if (order instanceof HTMLSelectElement) order.value = url.searchParams.get('sort') ?? ''
  const same = [...document.querySelectorAll('[data-found] a')].find((one) => one.textContent === link.textContent)
  if (same instanceof HTMLElement) same.focus()
  showNext()
}

/**
 * Loads the list for the typed search, unless it is shown already, and follows it from now on.
 * @param {HTMLFormElement} form
 */
async function search(form) {
  const url = new URL(form.action)
  const shown = new URLSearchParams(location.search)
  const fields = [...new FormData(form)].map(([name, value]) => /** @type {const} */ ([name, String(value)]))
  if (fields.every(([name, value]) => value === (shown.get(name) ?? ''))) return
  for (const [name, value] of fields) if (value !== '') url.searchParams.append(name, value)
  if (!(await load(url))) return
  history.replaceState(history.state, '', url)
  showNext()
}

function showNext() {
  document.dispatchEvent(new CustomEvent('searched'))
  document.dispatchEvent(new Event('live'))
}

/**
 * Replaces what the list shows; false if the page is loaded instead.
 * @param {URL} url
 */
async function load(url) {
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!answer?.ok || answer.redirected) {
    location.assign(url)
    return false
  }
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-found]')) {
    const replacement = next.getElementById(part.id)
    if (replacement) part.replaceWith(replacement)
  }
  return true
}

/**
 * The answer is this page again; the form with the same id replaces this one.
 * @param {SubmitEvent} event
 * @param {HTMLFormElement} form
 */
async function stay(event, form) {
  event.preventDefault()
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const hadFocus = form.contains(document.activeElement)
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const next = page.getElementById(form.id)
  if (!answer.ok || !next) return location.assign(answer.redirected ? answer.url : location.href)
  form.replaceWith(next)
  if (hadFocus) next.querySelector('button')?.focus()
  say(page.querySelector('main > .notice, main > .failure'))
  document.dispatchEvent(new Event('live'))
}

let hiding = 0

/**
 * Shows the notice of the answer over the page, so that nothing moves.
 * @param {Element | null} notice
 */
function say(notice) {
  const said = document.querySelector('[data-said-notice]')
  if (!notice || !said) return
  said.textContent = notice.textContent
  said.className = `${notice.className} said`
  clearTimeout(hiding)
  hiding = setTimeout(() => (said.textContent = ''), saidMs)
}

/** @param {Element} box */
function showPassword(box) {
  if (!(box instanceof HTMLInputElement)) return
  box.closest('[hidden]')?.removeAttribute('hidden')
  const show = () => {
    const field = document.getElementById(box.dataset.shows ?? '')
    if (field instanceof HTMLInputElement) field.type = box.checked ? 'text' : 'password'
  }
  box.addEventListener('change', show)
  // A browser may keep the box checked when the page is loaded again.
  show()
}

/** @param {Element} button */
function nameEmail(button) {
  const field = document.getElementById(button.getAttribute('data-names-email') ?? '')
  if (!(field instanceof HTMLInputElement)) return
  const label = button.textContent
  const name = () => {
    const email = field.value.trim()
    button.textContent = /^[^@\s]+@[^@\s]+$/.test(email) ? `${label} ${email}` : label
  }
  field.addEventListener('input', name)
  name()
}
