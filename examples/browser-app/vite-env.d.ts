/** What the build takes from the environment. */
interface ImportMeta {
  readonly env: {
    readonly POSREP_ORIGIN?: string
    readonly POSREP_CLIENT_ID?: string
  }
}
