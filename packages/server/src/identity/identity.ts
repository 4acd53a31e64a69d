/**
 * The identity provider: OAuth 2.0 for people and for sensors (specification, part A and "Device authentication").
 * In: ports, origins and policies. Out: the operations of the document, the pages, and the verification of issued
 * tokens.
 */
import type { Router } from 'express'
import type { SensorIdPolicy } from '../devices/local-id.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { Principal, VerifyAccessToken } from '../ports/principal.ts'
import type { DeviceRecord, Directory } from '../ports/storage/directory.ts'
import type { RevocationFeed } from '../ports/storage/revocation-feed.ts'
import type { SharedCounts } from '../ports/storage/shared-counts.ts'
import type { Store } from '../ports/storage/store.ts'
import { createAccountInteraction } from './account.ts'
import type { Audit } from './audit.ts'
import { createIsAppOrigin } from './authorize/app-origins.ts'
import { createAuthorizationCodes } from './authorize/authorization-code.ts'
import { createDecisions } from './authorize/decisions.ts'
import { createInteraction } from './authorize/interaction.ts'
import { loadKeys, type PrivateKey } from './keys/keys.ts'
import { createSealer, type Sealer } from './keys/sealer.ts'
import { toMetadata } from './metadata.ts'
import { type IdentityOperations, identityOperations } from './operations.ts'
import { createPages } from './page-routes.ts'
import { createErrorPages } from './pages/error.tsx'
import { accountPath, accountSignedOutPath } from './pages/paths.ts'
import { createPasswordReset } from './password-reset.ts'
import { createConsents } from './people/consents.ts'
import { createKnownBrowsers } from './people/known-browser.ts'
import { createPasswordAttempts } from './people/password-attempts.ts'
import { createResetLinks } from './people/reset-links.ts'
import { createSessions } from './people/session.ts'
import { createSignIn } from './people/sign-in.ts'
import {
  type AuthorizationRequest,
  createTransactions,
  type PageVisit,
  type SignOutRequest,
} from './people/sign-in-transaction.ts'
import { createSignOutTickets, type SignOutTickets } from './people/sign-out-ticket.ts'
import { createUsers } from './people/users.ts'
import { type RevocationCause, toRevocationSubject } from './revocation/revocation-subject.ts'
import { createRevocations } from './revocation/revocations.ts'
import { createAppSignOut } from './sign-out.ts'
import { createAuthenticateCaller } from './token-endpoint/authenticate-caller.ts'
import { createIssueTokens } from './token-endpoint/issue-tokens.ts'
import { createRevokeToken } from './token-endpoint/revoke-token.ts'
import { createAccessTokens } from './tokens/access-token.ts'
import { createPairedFamilies } from './tokens/paired-families.ts'
import { createRefreshFamilies } from './tokens/refresh-family.ts'

export interface IdentityOptions {
  store: Store
  directory: Directory
  revocationFeed: RevocationFeed
  /** Shares the counts of limits with other processes. Default: this process counts alone. */
  sharedCounts?: SharedCounts | undefined
  devices: DeviceRegistry
  clock: Clock
  /** Public origins: the issuer, the audience of device tokens, the audience of user tokens. */
  origins: { auth: string; ingest: string; ui: string }
  /** How long a repeated refresh returns the same token pair, in ms; 0 = never. Default 30_000. */
  refreshGraceMs?: number
  /**
   * Also accept `http://127.0.0.1`, `http://[::1]` and `http://localhost` redirect URIs, for development. Default
   * false.
   */
  allowLoopbackRedirects?: boolean
  /** Which characters a local sensor ID may contain. Default `strict`. */
  sensorIdPolicy?: SensorIdPolicy
  /** Whether the portal is at the origin `ui`: a sign-out passes it. Default true. */
  hasPortal?: boolean
  /**
   * Whether people can create an account on the sign-in page (specification, "What the service does", 4). Default true.
   */
  canSignUp?: boolean
  /** Called for sign-ins, approvals, tokens and revocations. Default: ignored. */
  audit?: Audit
  /** Called once when revocations or keys cannot be read, and again only after a successful read. Default: ignored. */
  onError?: (error: unknown) => void
}

export interface DeviceTokens {
  accessToken: string
  refreshToken: string
  /** The access token's expiry, in ms since the epoch. */
  expiresAtMs: number
}

export interface Identity {
  operations: IdentityOperations
  /** Sign-in, approval and the account page. They are not part of the document; mount them before its router. */
  pages: Router
  /** The URLs of the authorization endpoint and of the account page. */
  urls: { authorizationEndpoint: string; accountUrl: string }
  verifyAccessToken: VerifyAccessToken
  /** Where a browser that signed out of the portal ends its session here. */
  toSignOutUrl(userId: string): string
  signOutTickets: SignOutTickets
  /** For the portal, whose visitors carry their sign-in as the visitors of the pages do. */
  sealer: Sealer
  /** Whether the principal's token has ended since: by a sign-out, a revocation, or a disabled user or client. */
  isRevoked(principal: Principal): Promise<boolean>
  /** Whether an enabled client has a redirect URI at this origin; then apps at this origin may read answers (CORS). */
  isAppOrigin(origin: string): Promise<boolean>
  /** Issues tokens for a paired device; tokens of an earlier pairing end. */
  issueDeviceTokens(device: DeviceRecord): Promise<DeviceTokens>
  /** The Ed25519 key that signs relay messages now; its public key is in the JWKS under `kid`. */
  getRelayMessageKey(): PrivateKey
  /** Ends refresh tokens at once; ends access tokens at once in this process and within a second in all others. */
  revoke(revocation: RevocationCause): Promise<void>
  /**
   * Reads the revocations and key rotations of other processes regularly; returns a function that stops this. Without
   * it, each verification asks the feed of revocations.
   */
  follow(): () => Promise<void>
}

/** Loads the signing keys, creating missing ones, and the revocations. */
export async function createIdentityProvider({
  store,
  directory,
  revocationFeed,
  sharedCounts,
  devices,
  clock,
  origins,
  refreshGraceMs = 30_000,
  allowLoopbackRedirects = false,
  sensorIdPolicy = 'strict',
  hasPortal = true,
  canSignUp = true,
  audit = () => {},
  onError = () => {},
}: IdentityOptions): Promise<Identity> {
  if (!(refreshGraceMs >= 0)) throw new RangeError(`"refreshGraceMs" must be 0 or more, got ${refreshGraceMs}`)
  const keys = await loadKeys({ directory, clock, onError })
  const sealer = createSealer(keys)
  const revocations = createRevocations({
    feed: revocationFeed,
    clock,
    sharedCounts,
    onHolderRevoked: (revocation) => audit({ event: 'revoked', revocation }),
    onError,
  })
  await revocations.read()
  const accessTokens = createAccessTokens({ keys, revocations, clock, origins })
  const families = createRefreshFamilies({ store, clock, accessTokens, revocations, graceMs: refreshGraceMs })
  const pairedFamilies = createPairedFamilies({ store, directory, families, revocations })
  const codes = createAuthorizationCodes({ store, clock })
  const redirectUris = { allowLoopback: allowLoopbackRedirects }
  const users = createUsers({ directory, canSignUp })
  const sessions = createSessions({ store, clock, revocations, findUser: users.find })
  const attempts = createPasswordAttempts({ clock, sharedCounts })
  const signIn = createSignIn({ users, sessions, attempts, knownBrowsers: createKnownBrowsers(keys), audit })
  const consents = createConsents({
    directory,
    clock,
    endTokens: (consent) => revocations.revoke(toRevocationSubject({ kind: 'consent', ...consent })),
  })
  const transactions = createTransactions<AuthorizationRequest>({ sealer, clock, name: 'authorize' })
  const errorPages = createErrorPages(origins.ui)
  const interaction = createInteraction({
    directory,
    sessions,
    signIn,
    consents,
    transactions,
    decisions: createDecisions({ store, clock }),
    codes,
    revocations,
    authOrigin: origins.auth,
    uiOrigin: origins.ui,
    canSignUp,
    errorPages,
    clock,
    sharedCounts,
    audit,
  })
  const signOutTickets = createSignOutTickets({ sealer, clock })
  const signedOutUrl = `${origins.ui}/portal/signed-out`
  const appSignOut = createAppSignOut({
    directory,
    sessions,
    transactions: createTransactions<SignOutRequest>({ sealer, clock, name: 'sign-out' }),
    redirectUris,
    toPortalSignOut: (userId, returnTo) =>
      hasPortal
        ? `${signedOutUrl}?${new URLSearchParams({ ticket: signOutTickets.issue({ userId, returnTo }, 'portal') })}`
        : returnTo,
    uiOrigin: origins.ui,
    errorPages,
    audit,
  })
  const endUserTokens = (userId: string) => revocations.revoke(toRevocationSubject({ kind: 'user', userId }))
  const passwordReset = createPasswordReset({
    resetLinks: createResetLinks({ store, directory }),
    users,
    sessions,
    endUserTokens,
    audit,
  })
  const account = createAccountInteraction({
    users,
    sessions,
    signIn,
    attempts,
    consents,
    visits: createTransactions<PageVisit>({ sealer, clock, name: 'page-visit' }),
    endUserTokens,
    canSignUp,
    signOutTickets,
    signedOutUrl,
    now: clock.now,
    errorPages,
    audit,
  })

  const authenticate = createAuthenticateCaller({ directory, clock, sharedCounts, audit })
  const grantContext = {
    directory,
    devices,
    sensorIdPolicy,
    codes,
    families,
    pairedFamilies,
    accessTokens,
    revocations,
    audit,
  }

  return {
    operations: identityOperations({
      authorizeContext: {
        directory,
        transactions,
        interaction,
        authOrigin: origins.auth,
        redirectUris,
        errorPages,
        audit,
      },
      issueTokens: createIssueTokens({ authenticate, grantContext }),
      revokeToken: createRevokeToken({ authenticate, families, accessTokens, audit }),
      appSignOut,
      directory,
      clock,
      publicJwks: keys.publicJwks,
    }),
    pages: createPages({ interaction, account, appSignOut, passwordReset, errorPages }),
    urls: {
      authorizationEndpoint: toMetadata(origins.auth).authorization_endpoint,
      accountUrl: `${origins.auth}${accountPath}`,
    },
    async verifyAccessToken(token, audience) {
      const principal = await accessTokens.verify(token, audience)
      if (principal.kind === 'user') consents.recordUse(principal.userId, principal.clientId)
      return principal
    },
    sealer,
    signOutTickets,
    toSignOutUrl: (userId) =>
      `${origins.auth}${accountSignedOutPath}?${new URLSearchParams({ ticket: signOutTickets.issue({ userId }, 'account') })}`,
    isRevoked: accessTokens.isRevoked,
    isAppOrigin: createIsAppOrigin({ directory, clock, redirectUris }),
    async issueDeviceTokens(device) {
      const { clientId, familyId, pair } = await pairedFamilies.issue(device.id)
      audit({ event: 'tokens-issued', grant: 'pairing', clientId, subject: device.id, familyId })
      const { accessToken, refreshToken, expiresAtMs } = pair
      return { accessToken, refreshToken, expiresAtMs }
    },
    getRelayMessageKey: () => keys.relayMessage,
    async revoke(revocation) {
      if (revocation.kind === 'family') await families.revoke(revocation.familyId)
      else await revocations.revoke(toRevocationSubject(revocation))
      audit({ event: 'revoked', revocation })
    },
    follow() {
      const stops = [revocations.follow(), keys.follow()]
      return async () => void (await Promise.all(stops.map((stop) => stop())))
    },
  }
}
