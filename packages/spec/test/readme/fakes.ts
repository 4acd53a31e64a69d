import { fakePositionReport } from '@posrep/spec/fakes'

export const anyReport = fakePositionReport({ includeOptional: 0.5 })
