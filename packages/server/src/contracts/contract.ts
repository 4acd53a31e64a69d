/** The function of a test runner that a contract suite needs: vitest's and node:test's `test` both fit. */
export type RegisterTest = (name: string, body: () => Promise<void>) => unknown

export interface Subject<P> {
  port: P
  /** Closes files and connections; called when the test ends, however it ends. */
  close?(): Promise<void>
}

/** Registers one test on a new subject. */
export function over<P, O>(test: RegisterTest, create: (options: O) => Promise<Subject<P>>, options: () => O) {
  return (name: string, body: (port: P, options: O) => Promise<void>) =>
    test(name, async () => {
      const given = options()
      const { port, close } = await create(given)
      try {
        await body(port, given)
      } finally {
        await close?.()
      }
    })
}
