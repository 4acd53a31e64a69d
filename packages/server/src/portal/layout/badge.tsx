/** Shows a state as an icon and a word, so that it does not depend on colour alone. */
import type { RelayState, RetryingRelay } from '@posrep/spec'
import type { ComponentChildren } from 'preact'
import { Time } from '../../pages/time.tsx'

export type Tone = 'good' | 'quiet' | 'bad' | 'busy'

const shapes: Record<Tone, ComponentChildren> = {
  good: <path d="M3 8.5l3.2 3.2L13 5" />,
  quiet: <path d="M4 8h8" />,
  bad: <path d="M4 4l8 8M12 4l-8 8" />,
  busy: <path d="M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 5v3l2 1.5" />,
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

export interface RelayBadgeProps {
  state: RelayState | null
  /** The relay is Active, and does not accept its messages now. */
  retrying: RetryingRelay | undefined
  nowMs: number
}

export function RelayBadge({ state, retrying, nowMs }: RelayBadgeProps) {
  if (state === null) return <Badge tone="quiet">No relay</Badge>
  return retrying ? <RetryingBadge retrying={retrying} nowMs={nowMs} /> : <Badge tone={tones[state]}>{state}</Badge>
}

export function RetryingBadge({ retrying, nowMs }: { retrying: RetryingRelay; nowMs: number }) {
  return (
    <Badge tone="busy">
      <span>
        Retrying since <Time atMs={Date.parse(retrying.failingSince)} nowMs={nowMs} isClock />,{' '}
        {retrying.pending.toLocaleString('en')} waiting
      </span>
    </Badge>
  )
}
