/** How far ahead entries of areas are predicted, and when alerts of areas end. */

export const lookAheadSeconds = 60
/** An active alert ends when no entry is predicted within a longer time, and the track is so far from the area. */
export const clear = { lookAheadSeconds: 72, metres: 50, verticalMetres: 15 }
