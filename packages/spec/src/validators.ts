/**
 * valibot schemas that judge a value as the server does.
 * In: unknown values. Out: typed ones. Their output lacks members that the document does not name: pass on the original.
 */
export * from './generated/hey-api/valibot.gen.ts'
