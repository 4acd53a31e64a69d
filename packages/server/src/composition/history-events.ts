/**
 * Turns events of the identity provider and refused requests into entries of device histories.
 * In: audit events, refusals. Out: calls of `DeviceHistories`.
 */
import type { Problem } from '@posrep/spec'
import type { DeviceHistories } from '../devices/device-history.ts'
import type { Refusal } from '../http/operation/serve-operation.ts'
import type { AuditEvent } from '../identity/audit.ts'

export function recordAuditEvent(histories: DeviceHistories, event: AuditEvent): void {
  if (event.event !== 'tokens-issued' && event.event !== 'refreshed') return
  const { subject } = event
  if (!subject.startsWith('urn:aa:device:')) return
  const grant = event.event === 'refreshed' ? 'refresh_token' : event.grant
  if (grant === 'pairing' || grant === 'client_credentials' || grant === 'refresh_token') {
    histories.recordToken(subject, grant)
  }
}

export function recordRefusedReport(
  histories: DeviceHistories,
  { operationId, principal, refusal: { status, text } }: Refusal,
): void {
  const isRefusedReport = operationId === 'submitPositionReport' && status >= 400 && status < 500 && status !== 429
  if (!isRefusedReport || principal.kind !== 'device') return
  // Our own answer: this operation has no errors of its own protocol.
  const { detail = '', errors = [] } = JSON.parse(text) as Problem
  const [first] = errors
  histories.recordRefusal(principal.deviceUrn, {
    status,
    detail: detail || (first ? `"${first.pointer}" ${first.detail}` : 'The report was refused'),
  })
}
