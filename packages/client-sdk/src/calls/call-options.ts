/** What every call takes besides the parameters of its operation. */
export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. A refresh that other calls wait for continues. */
  signal?: AbortSignal | undefined
  /**
   * Time for the whole call, with a refresh and repetitions, in ms: 1 to 2,147,483,647. Default: the client's
   * `timeoutMs`. After it the call rejects with ApiError `timeout`.
   */
  timeoutMs?: number | undefined
}
