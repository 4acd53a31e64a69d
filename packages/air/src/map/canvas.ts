/** The canvas of a map, with what assistive technology says of it. In: the element that it fills. Out: the canvas. */

const keys =
  'Arrow keys move the map, plus and minus zoom, 0 shows everything. N and P select the next and the previous target, F follows it, Escape ends the selection.'

let count = 0

/** @param signal It is removed when the signal aborts. */
export function addCanvas(element: HTMLElement, description: string, signal: AbortSignal): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const help = document.createElement('p')
  help.id = `posrep-map-keys-${++count}`
  help.hidden = true
  help.textContent = `${keys} ${description}`.trim()
  const attributes = {
    tabindex: '0',
    // It takes the keys itself.
    role: 'application',
    'aria-roledescription': 'map',
    'aria-label': 'Map of targets',
    'aria-describedby': help.id,
  }
  for (const [name, value] of Object.entries(attributes)) canvas.setAttribute(name, value)
  Object.assign(canvas.style, { display: 'block', width: '100%', height: '100%', cursor: 'grab', userSelect: 'none' })
  element.prepend(canvas, help)
  signal.addEventListener('abort', () => {
    canvas.remove()
    help.remove()
  })
  return canvas
}
