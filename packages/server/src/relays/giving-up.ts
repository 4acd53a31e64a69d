/**
 * Gives up a line's message, should its relay be set anew while it is on its way: one follows the other, so that whoever is
 * to be told then is one at a time. The list of them that an `AbortSignal` has takes 2 % of what a message costs.
 */
export class GivingUp {
  isGivenUp = false
  /** Of the message that is on its way. */
  onGivenUp: (() => void) | undefined

  giveUp(): void {
    this.isGivenUp = true
    this.onGivenUp?.()
  }
}
