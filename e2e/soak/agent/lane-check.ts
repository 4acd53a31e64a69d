/**
 * Checks that what arrives is made of two streams, each in order: the live positions and the backlog. Only the agent
 * knows which of them a position belongs to, because it judges the age.
 */
export interface LaneCheck {
  /** False if the number continues neither stream. */
  takes(number: number): boolean
}

export function aLaneCheck(): LaneCheck {
  let [ahead, behind] = [0, 0]
  return {
    takes(number) {
      if (number > ahead) ahead = number
      else if (number > behind) behind = number
      else return false
      return true
    },
  }
}
