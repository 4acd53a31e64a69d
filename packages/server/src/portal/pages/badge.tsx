/** A state as an icon and a word, never as a colour alone. */
import type { RelayState } from '@posrep/spec'
import type { ComponentChildren } from 'preact'

type Tone = 'good' | 'quiet' | 'bad' | 'busy'

const shapes: Record<Tone, ComponentChildren> = {
  good: <path d="M3 8.5l3.2 3.2L13 5" />,
  quiet: <path d="M4 8h8" />,
  bad: <path d="M4 4l8 8M12 4l-8 8" />,
  busy: <path d="M8 3.5V8l3 2" />,
}

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`state ${tone}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {shapes[tone]}
      </svg>
      {children}
    </span>
  )
}

const tones: Record<RelayState, Tone> = { Active: 'good', Inactive: 'quiet', Failed: 'bad' }

export function RelayBadge({ state }: { state: RelayState | null }) {
  return state === null ? <Badge tone="quiet">No relay</Badge> : <Badge tone={tones[state]}>{state}</Badge>
}
