/**
 * The page: signs the user in, lists the devices, and shows the recent positions of the chosen one.
 * In: what the user clicks. Out: one of two sections, and a sentence about what went wrong.
 */
import { LoginError, SessionError } from '@posrep/client-sdk'
import { signInWithPopup } from '@posrep/client-sdk/popup'
import { element, showDevices } from './page.ts'
import { showPositions } from './positions.ts'
import { posrep } from './posrep.ts'

element('sign-in').addEventListener('click', () => attempt(() => posrep.signIn()))
element('sign-in-popup').addEventListener('click', () =>
  attempt(async () => {
    await signInWithPopup(posrep)
    await start()
  }),
)
element('sign-out').addEventListener('click', () => attempt(() => posrep.signOut()))

await attempt(async () => {
  await posrep.handleCallback()
  await start()
})

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
  element('problem').textContent = ''
  try {
    await task()
  } catch (error) {
    // onSignedOut shows the buttons to sign in.
    if (error instanceof SessionError && error.code === 'login_required') return
    element('signed-out').hidden = await posrep.isSignedIn()
    element('problem').textContent = describe(error)
  }
}

function describe(error: unknown): string {
  if (error instanceof LoginError && error.code === 'access_denied')
    return 'You did not approve the access. Sign in to try again.'
  if (error instanceof Error) return error.message
  return String(error)
}
