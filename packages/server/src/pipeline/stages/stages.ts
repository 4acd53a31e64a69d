/** The stages of the pipeline, in order. An integrator's stages see the tags of earlier stages, and can add tags. */
import { SettingsError } from '../../errors.ts'
import type { Stage } from '../stage.ts'
import { type DeduplicateOptions, deduplicate } from './deduplicate.ts'
import { type KeepRecentOptions, keepRecent } from './keep-recent.ts'
import { type RouteOptions, route } from './route.ts'
import { tagReports } from './tag-reports.ts'
import { withDeadline } from './with-deadline.ts'

export interface PipelineStagesOptions extends DeduplicateOptions, KeepRecentOptions, RouteOptions {
  custom?: readonly Stage[] | undefined
}

/** @throws SettingsError when two stages have the same name, or a name is empty. */
export function pipelineStages({ custom = [], ...options }: PipelineStagesOptions): Stage[] {
  const own = custom.map((stage) => withDeadline(stage, options.clock))
  const stages = [deduplicate(options), tagReports, ...own, keepRecent(options), route(options)]
  const names = stages.map(({ name }) => name)
  const wrong = names.find((name, index) => name === '' || names.indexOf(name) !== index)
  if (wrong === undefined) return stages
  throw new SettingsError(
    `The names of "stages" must not be empty and not repeat one of ${names.join(', ')}; got "${wrong}"`,
  )
}
