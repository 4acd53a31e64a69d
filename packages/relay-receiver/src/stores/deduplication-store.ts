/**
 * Port: the store of the IDs of accepted messages, by which a repeated message is recognised.
 * Every implementation passes the tests of contract.ts.
 */
export interface DeduplicationStore {
  /** Whether `add` was called with this ID. @throws when the store cannot tell: it must never answer false instead. */
  has(id: string): Promise<boolean>
  /**
   * Remembers the ID, from 1 to 2,048 characters, for as long as the store keeps IDs. It is called after `onReport`
   * succeeded. Adding an ID again changes nothing. @throws when the ID was not stored.
   */
  add(id: string): Promise<void>
}
