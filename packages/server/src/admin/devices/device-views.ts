/** Devices, pairings and test messages as operators see them. */
import type { Relay } from '../../ports/storage/directory.ts'

export interface DeviceView {
  urn: string
  localId: string
  name: string
  account: string
  storesReports: boolean
  tags: string[]
  relay: Omit<Relay, 'sinceMs'> | null
  /** Messages waiting to be sent. */
  pending: number
  /** Buried messages, which can be resent. */
  buried: number
  /** Messages to the relay's present address that were dropped, because the backlog was full. */
  dropped: number
  firstDroppedAt: string | null
  lastDroppedAt: string | null
  /** False while another account, which had the local ID first, keeps it from being paired. */
  mayBePaired: boolean
}

export interface DeviceWithLastReport extends DeviceView {
  /** When the newest report that is still stored was received; null without one, or when the device stores none. */
  lastReportAt: string | null
}

export interface PairingView {
  id: string
  urn: string
  clientUniqueId: string
  expiresAt: string
}

/** How a pairing ended. `contested`: several addresses asked, and `--pairing-strict-source` is set. */
export interface PairingEnd extends PairingView {
  state: 'consumed' | 'expired' | 'cancelled' | 'contested'
  /** The caller that got the tokens. */
  consumedBy: { address: string; userAgent: string | null; at: string } | null
}

export interface RelayTestView {
  urn: string
  url: string
  /** The header `webhook-id` of the message, which the receiver sees. */
  messageId: string
  accepted: boolean
  /** Of the relay's answer; null without one. */
  status: number | null
  durationMilliseconds: number
  /** Why it was not accepted. */
  reason: string | null
  /** What to do about that. */
  advice: string | null
}
