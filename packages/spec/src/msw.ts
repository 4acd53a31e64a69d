/**
 * MSW handlers for every operation, for your own tests.
 * In: what an operation shall answer, or nothing for the document's example. Out: request handlers.
 */
export * from './generated/hey-api/msw.gen.ts'
