/** What the pages of these tests use, as a script that sets `window.sdk`. */
import { createPosrep, webTokenStore } from '@posrep/client-sdk'
import { signInWithPopup } from '@posrep/client-sdk/popup'
import { signOutAtService } from '@posrep/client-sdk/sign-out'

export const sdk = { createPosrep, webTokenStore, signInWithPopup, signOutAtService }

declare global {
  interface Window {
    sdk: typeof sdk
  }
}

window.sdk = sdk
