// @ts-check
/** `data-ends-at`: a ring that counts down the seconds, announced to screen readers at 60, 30 and 10. */
import { serverNow } from './times.js'

export function countDown() {
  for (const ring of document.querySelectorAll('[data-ends-at]')) {
    const left = Math.ceil(Math.max(0, Number(ring.getAttribute('data-ends-at')) - serverNow()) / 1_000)
    const number = ring.querySelector('[data-seconds]')
    if (!number || number.textContent === String(left)) continue
    number.textContent = String(left)
    ring.querySelector('[data-arc]')?.setAttribute('stroke-dasharray', `${left} 60`)
    const announcement = document.querySelector('[data-announce]')
    if (announcement && [60, 30, 10].includes(left)) announcement.textContent = `${left} seconds left`
  }
}
