/** The stages of the pipeline, in order. An integrator's stages see the tags of earlier stages, and can add tags. */

import type { AirInbox } from '../../air/log/air-inbox.ts'
import { SettingsError } from '../../errors.ts'
import type { Stage } from '../stage.ts'
import { appendToAir } from './air.ts'
import { type DeduplicateOptions, deduplicate } from './deduplicate.ts'
import { type KeepRecentOptions, keepRecent } from './keep-recent.ts'
import { type RouteOptions, route } from './route.ts'
import { tagReports } from './tag-reports.ts'
import { withDeadline } from './with-deadline.ts'

export interface PipelineStagesOptions extends DeduplicateOptions, KeepRecentOptions, RouteOptions {
  custom?: readonly Stage[] | undefined
  /** Undefined when the air picture is switched off. */
  inbox?: Pick<AirInbox, 'append'> | undefined
}

/** @throws SettingsError when two stages have the same name, or a name is empty. */
export function pipelineStages({ custom = [], inbox, ...options }: PipelineStagesOptions): Stage[] {
  const own = custom.map((stage) => withDeadline(stage, options.clock))
  const air = inbox ? [appendToAir({ inbox })] : []
  const stages = [deduplicate(options), tagReports, ...own, keepRecent(options), route(options), ...air]
  const names = stages.map(({ name }) => name)
  const wrong = names.find((name, index) => name === '' || names.indexOf(name) !== index)
  if (wrong === undefined) return stages
  throw new SettingsError(
    `The names of "stages" must not be empty and not repeat one of ${names.join(', ')}; got "${wrong}"`,
  )
}
