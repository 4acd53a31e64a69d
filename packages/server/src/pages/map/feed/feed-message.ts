/**
 * What the worker tells the page. `lost`: it connects again; `gone`: the session has ended, or this page cannot be
 * shown.
 */
import type { PackedFrame } from '@posrep/air/map'

export type FeedMessage = { kind: 'frame'; frame: PackedFrame } | { kind: 'lost' } | { kind: 'gone' }
