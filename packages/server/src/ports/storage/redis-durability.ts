/**
 * `always`: an acknowledged write survives a power cut. `everysec`: except for the last second. `none`: no guarantee.
 */
export type RedisDurability = 'always' | 'everysec' | 'none'
