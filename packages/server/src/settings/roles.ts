/**
 * The roles of a process (`--roles`). The document says at which servers an operation is;
 * `composition/listening/own-handlers.ts` derives from it which roles answer the operation. `worker` has no operations:
 * it runs the pipeline, the air pictures and the courier.
 */
export const allRoles = ['identity', 'ingest', 'ui', 'worker'] as const
export type Role = (typeof allRoles)[number]
