// @ts-check
/** Starts what the page's attributes ask for. Each module says which. */
import { drawCharts } from './charts.js'
import { offerCopies } from './copy.js'
import { countDown } from './countdown.js'
import { enhanceForms } from './forms.js'
import { applyWaiting, follow } from './live.js'
import { showTimes } from './times.js'

// A notice is shown once: reloading the page, or sharing its address, does not repeat it.
if (new URLSearchParams(location.search).has('notice')) {
  const url = new URL(location.href)
  url.searchParams.delete('notice')
  history.replaceState(history.state, '', url)
}

function followSource() {
  const notice = document.querySelector('[data-live-source]')
  if (notice) follow(notice)
}

function refresh() {
  showTimes()
  countDown()
  offerCopies()
}

refresh()
enhanceForms()
drawCharts()
followSource()
// The list shows another search now.
document.addEventListener('searched', followSource)
document.addEventListener('live', () => {
  refresh()
  drawCharts()
})
// A form that is being sent, such as Sign out, already leads to another page; reloading would cancel it.
let isLeaving = false
document.addEventListener('submit', (event) => {
  isLeaving = !event.defaultPrevented
})
document.addEventListener('gone', () => {
  if (!isLeaving) location.reload()
})
setInterval(() => {
  applyWaiting()
  showTimes()
  countDown()
}, 250)
