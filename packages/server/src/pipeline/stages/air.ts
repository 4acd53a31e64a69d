/** Appends the reports to the log of the account's air picture. */
import type { AirInbox } from '../../air/log/air-inbox.ts'
import type { Stage } from '../stage.ts'

/** The last stage: the air picture reads the reports that `keep-recent` has stored, and relays do not wait for it. */
export function appendToAir({ inbox }: { inbox: Pick<AirInbox, 'append'> }): Stage {
  return {
    name: 'air',
    run(reports) {
      const device = reports[0]?.device
      if (!device) return undefined
      return inbox.append(device.accountId, device.id, reports, device.storePositionReports)
    },
  }
}
