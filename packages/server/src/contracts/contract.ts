/** The function with which a contract suite registers its tests: `test` of vitest or of node:test. */
export type RegisterTest = (name: string, body: () => Promise<void>) => unknown

export interface Subject<P> {
  port: P
  /** Closes files and connections. Called when the test ends, also when it fails. */
  close?(): Promise<void>
}

/** Returns a function that registers a test with its name. Each test runs on a new subject. */
export function createFact<P, O>(test: RegisterTest, create: (options: O) => Promise<Subject<P>>, options: () => O) {
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
