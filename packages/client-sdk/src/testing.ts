/**
 * For the tests of your app: MSW handlers and random values from the document, and the real server in memory.
 * Needs `msw` 3 and `@faker-js/faker` 10; `startTestServer()` needs `@posrep/server` and Node 24.15.
 */
export * from '@posrep/spec/fakes'
export * from '@posrep/spec/msw'
export type { TestServer, TestServerOptions } from './testing/test-server.ts'
export { startTestServer } from './testing/test-server.ts'
