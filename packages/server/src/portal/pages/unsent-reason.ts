/** Beside a form that was sent when its session had ended; what was typed is in it again. */
export const unsentReason = 'You were signed out before this was sent. Send it now if it is still right.'
