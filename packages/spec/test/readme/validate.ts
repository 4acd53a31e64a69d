import type { PositionReport } from '@posrep/spec'
import { vPositionReport } from '@posrep/spec/validators'
import { safeParse } from 'valibot'

const report: PositionReport = {
  sensor: { id: 'roof1' },
  positions: [
    {
      id: '461f9c-1767787230',
      sourceTimeStamp: '2026-01-07T12:00:30.250Z',
      position: { lat: 60.31721, lon: 249.633 },
    },
  ],
}

const { issues = [] } = safeParse(vPositionReport, report)
for (const { path = [], message } of issues) console.log(path.map(({ key }) => key).join('/'), message)
