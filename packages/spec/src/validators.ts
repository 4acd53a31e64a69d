/**
 * valibot schemas that accept the same values as the server.
 * In: unknown values. Out: typed values, without the members that the document does not name: to keep them, use the
 * original value.
 */
export * from './generated/hey-api/valibot.gen.ts'
