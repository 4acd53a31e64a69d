/**
 * Links with which a user who has forgotten the password sets another one.
 * In: a user, from an operator's command. Out: a secret for a link, valid for an hour and for the password that the
 * user has then: it ends with its use, and with every other change of the password.
 */
import type { Directory, User } from '../../ports/storage/directory.ts'
import type { Store } from '../../ports/storage/store.ts'
import { hashSecret, randomSecret } from '../../secrets.ts'

export interface ResetLinks {
  issue(user: User): Promise<string>
  /**
   * The user as the link was issued for; undefined for a secret that is unknown, used or expired, and for a disabled
   * user.
   */
  find(secret: string): Promise<User | undefined>
}

export const resetLinkTtlMs = 60 * 60_000

interface StoredLink {
  userId: string
  /** The hash of the password hash. */
  credential: string
}

export function createResetLinks({
  store,
  directory,
}: {
  store: Pick<Store, 'get' | 'put'>
  directory: Pick<Directory, 'find'>
}): ResetLinks {
  return {
    async issue({ id, passwordHash }) {
      const secret = randomSecret()
      const link: StoredLink = { userId: id, credential: hashSecret(passwordHash) }
      await store.put(toKey(secret), link, resetLinkTtlMs)
      return secret
    },
    async find(secret) {
      const link = await store.get<StoredLink>(toKey(secret))
      const user = link && (await directory.find('user', link.userId))
      return user && !user.disabled && hashSecret(user.passwordHash) === link.credential ? user : undefined
    },
  }
}

function toKey(secret: string): string {
  return `reset-link:${hashSecret(secret)}`
}
