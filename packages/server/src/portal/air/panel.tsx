/** A part of the air picture that floats on the map and collapses. Without scripts it is open. */
import type { ComponentChildren } from 'preact'

export interface PanelProps {
  id: string
  title: string
  count?: number
  /** With scripts. Default false; without scripts every panel is open. */
  isOpen?: boolean
  children: ComponentChildren
}

export function Panel({ id, title, count, isOpen = false, children }: PanelProps) {
  return (
    <section class="air-panel" id={id} aria-labelledby={`${id}-heading`} data-collapsed={isOpen ? undefined : ''}>
      <h2 id={`${id}-heading`}>
        <button type="button" class="air-toggle" aria-expanded={isOpen} aria-controls={`${id}-body`}>
          {title} {count !== undefined && <span data-count={id}>{count}</span>}
        </button>
      </h2>
      <div id={`${id}-body`} class="air-panel-body">
        {children}
      </div>
    </section>
  )
}
