import { ApiError, type Posrep, SessionError } from '@posrep/client-sdk'

export async function startRelay(posrep: Posrep, deviceUrn: string, url: string): Promise<string> {
  try {
    const { relayDetails } = await posrep.updateRelay(deviceUrn, { url, state: 'Active' })
    return relayDetails?.failureDescription ?? 'Active'
  } catch (error) {
    if (error instanceof SessionError && error.code === 'login_required') return 'Please sign in'
    if (error instanceof ApiError && error.code === 'not_found') return `There is no ${deviceUrn}`
    throw error
  }
}
