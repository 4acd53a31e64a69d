/**
 * The colours of altitudes: steps of about equal difference to the eye (OKLCH), from orange at the ground to violet,
 * each step also darker or lighter than the last, so that the order shows without colour vision.
 */
/** Lower limits in metres; the first step is the ground. */
export const altitudeSteps = [-Infinity, 150, 300, 600, 1_200, 2_000, 3_000, 4_500, 6_000, 8_000, 10_000, 12_000]

/** The last colour is for a target without altitude. */
const noAltitude = altitudeSteps.length

export function toStep(altitudeMetres: number): number {
  if (Number.isNaN(altitudeMetres)) return noAltitude
  let step = 0
  while (step + 1 < altitudeSteps.length && altitudeMetres >= (altitudeSteps[step + 1] ?? 0)) step++
  return step
}

/** CSS colours, one for each step and one for no altitude. Readable on the map of the theme. */
export function toColours(isDark: boolean): string[] {
  const last = altitudeSteps.length - 1
  const colours = altitudeSteps.map((_, step) => {
    const share = step / last
    const hue = (50 + 270 * share) % 360
    const lightness = isDark ? 0.86 - 0.16 * share : 0.56 - 0.16 * share
    return `oklch(${lightness.toFixed(3)} ${(isDark ? 0.15 : 0.14).toFixed(2)} ${hue.toFixed(0)})`
  })
  return [...colours, isDark ? 'oklch(0.78 0.01 250)' : 'oklch(0.45 0.01 250)']
}
