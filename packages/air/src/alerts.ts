/** Alerts over tracks. Not for navigation. */

export type { Alerts, AlertsCounts, AlertsOptions, AlertsSnapshot } from './alerts/alerts.ts'
export { createAlerts } from './alerts/alerts.ts'
export type { SeparationPreset, SeparationSetting } from './alerts/separation.ts'
export { limitsFor, separationSettings } from './alerts/separation.ts'
export type { SensorActivity } from './alerts/silent-sensors.ts'
