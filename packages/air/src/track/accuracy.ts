/**
 * The document states accuracies as bounds that hold with 95 % probability; the tracker and Cursor on Target have
 * standard deviations. A bound is so many standard deviations: of each of the two axes of a horizontal error, and of a
 * vertical one.
 */
export const sigmasOfHorizontalBound = 2.448
export const sigmasOfVerticalBound = 1.96
