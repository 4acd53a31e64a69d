/**
 * The page: signs the user in, lists the devices, and shows the recent positions of the chosen one.
 * In: what the user clicks. Out: one of two sections, and a sentence about what went wrong.
 */
import { PosrepError, SessionError } from '@posrep/client-sdk'
import { signInWithPopup } from '@posrep/client-sdk/popup'
import { element, showDevices } from './page.ts'
import { showPositions } from './positions.ts'
import { posrep } from './posrep.ts'

const passing = new Set(['temporarily_unavailable', 'timeout', 'too_many_requests', 'unavailable', 'unreachable'])

onClick('sign-in', () => posrep.signIn())
onClick('sign-in-popup', async () => {
  await signInWithPopup(posrep)
  await start()
})
onClick('sign-out', () => posrep.signOut())

await attempt(() => posrep.handleCallback())
await attempt(start)

function onClick(id: string, task: () => Promise<unknown>): void {
  element(id).addEventListener('click', () => {
    element('problem').textContent = ''
    void attempt(task)
  })
}

/** Shows what a user sees who is signed in, or the buttons to sign in. */
async function start(): Promise<void> {
  const isSignedIn = await posrep.isSignedIn()
  element('signed-out').hidden = isSignedIn
  element('signed-in').hidden = !isSignedIn
  element('sign-out').hidden = !isSignedIn
  if (!isSignedIn) return
  const { data } = await posrep.listDevices()
  showDevices(data, (device, signal) => attempt(() => showPositions(posrep, device, signal)))
}

async function attempt(task: () => Promise<unknown>): Promise<void> {
  try {
    await task()
  } catch (error) {
    // onSignedOut shows the buttons to sign in.
    if (error instanceof SessionError && error.code === 'login_required') return
    element('problem').textContent = describe(error)
  }
}

function describe(error: unknown): string {
  if (!(error instanceof PosrepError)) return String(error)
  if (error.code === 'access_denied') return 'You did not approve the access. Sign in to try again.'
  if (passing.has(error.code)) return 'The service does not answer. Reload the page to try again.'
  return error.message
}
