/**
 * Text of sensors in members that readers put into pages. Many of them do not escape it: a registration of a sensor ran
 * as a script there.
 * In: the text. Out: the same text, or undefined if it has characters that its member does not expect.
 */

/** As readsb decodes them, and what operators of drones write. */
const callSign = /^[A-Z0-9][A-Z0-9 .-]{0,19}$/
/** As in the lists of aircraft that readsb reads; serial numbers of drones (ANSI/CTA-2063-A) fit, too. */
const registration = /^[A-Z0-9][A-Z0-9-]{0,19}$/
/** Letters of any language, and what stands in names; nothing that has a meaning in HTML, XML or scripts. */
const name = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:/+-]{0,63}$/u

export function toPlainCallSign(text: string | undefined): string | undefined {
  return ifMatches(callSign, text?.trim().toUpperCase())
}

export function toPlainRegistration(text: string | undefined): string | undefined {
  return ifMatches(registration, text?.trim().toUpperCase())
}

export function toPlainName(text: string | undefined): string | undefined {
  return ifMatches(name, text?.trim())
}

function ifMatches(form: RegExp, text: string | undefined): string | undefined {
  return text !== undefined && form.test(text) ? text : undefined
}
