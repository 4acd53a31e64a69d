/**
 * MSW handlers for every operation, for your tests.
 * In: a response for an operation; by default the document's example. Out: request handlers.
 */
export * from './generated/hey-api/msw.gen.ts'
