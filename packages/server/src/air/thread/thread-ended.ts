/** Why a request got no answer: the thread of the air pictures ended before. */
export class AirThreadEnded extends Error {
  override readonly name = 'AirThreadEnded'
  /** Whether the thread ended while it worked on this request, which is then the likely cause. */
  readonly wasAtWork: boolean

  constructor(wasAtWork: boolean) {
    super('The thread of the air picture has ended')
    this.wasAtWork = wasAtWork
  }
}

/**
 * Why a request got no answer: the account has no picture in the thread, because it was closed or the thread was
 * started again.
 */
export class PictureNotOpen extends Error {
  override readonly name = 'PictureNotOpen'
}
