/** Corrects the mistakes that the compat profile accepts. Pure; a value without such mistakes is returned unchanged. */
export type Mend = (value: unknown) => Mended

export interface Mended {
  value: unknown
  /** JSON Pointers into the value that was given. Empty when nothing was mended. */
  mended: readonly string[]
}
