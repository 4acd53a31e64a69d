// @ts-check
/** `data-copy`: a button that copies this text. Hidden without scripts. */

export function offerCopies() {
  if (!navigator.clipboard) return
  for (const button of document.querySelectorAll('[data-copy][hidden]')) offer(button)
}

/** @param {Element} button */
function offer(button) {
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
