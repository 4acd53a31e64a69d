/** Where the pages of the identity provider live; they are not part of the document. */
import { createHash } from 'node:crypto'
import { stylesheet } from './stylesheet.ts'

/** The page that a transaction's user sees next; its forms post to paths below it. */
export function interactionPath(transactionId: string, form?: 'sign-in' | 'sign-out' | 'decision'): string {
  return `/oauth/v2/authorize/${transactionId}${form === undefined ? '' : `/${form}`}`
}

/** Named after its content, so that it can be kept for ever. */
export const stylesheetPath = `/oauth/v2/assets/${createHash('sha256').update(stylesheet).digest('hex').slice(0, 16)}.css`
