/**
 * Characters that people cannot see: with them, a name can look like another one or control a terminal.
 * In: a name that somebody chose. Out: whether it has such characters; the name with each of them as `\u…`. And JSON
 * with such names: the same JSON, with an escape for each of them.
 */

/**
 * Control, format (bidirectional and zero-width, too) and ignorable characters, line and paragraph separators, lone
 * surrogates, and the blank Braille pattern.
 */
const invisible = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`
const anyInvisible = new RegExp(invisible, 'v')
/** Emoji consist of several characters, some of which are invisible alone. */
const emojiOrInvisible = new RegExp(String.raw`\p{RGI_Emoji}|${invisible}`, 'gv')

export function hasInvisible(text: string): boolean {
  return anyInvisible.test(text)
}

export function toVisible(text: string): string {
  return text.replace(emojiOrInvisible, (found) => {
    const code = found.codePointAt(0) ?? 0
    const isEscaped = anyInvisible.test(String.fromCodePoint(code))
    return isEscaped ? `\\u${code.toString(16).padStart(4, '0')}` : found
  })
}

const anyInvisibleOfJson = new RegExp(invisible, 'gv')

/** @param json JSON text, which may have line breaks between its tokens. */
export function toVisibleJson(json: string): string {
  // Most texts are of ASCII, in which JSON has escaped the control characters.
  if (/^[\x20-\x7e\n\r\t]*$/.test(json)) return json
  return json.replace(anyInvisibleOfJson, (found) => (/[\n\r\t]/.test(found) ? found : toEscapes(found)))
}

/** One escape per UTF-16 code unit, as JSON has it. */
function toEscapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/**
 * For a log that is printed for people, who see the values without quotes: each such character in a value stays an
 * escape, also after the JSON was parsed. Line breaks and tabs stay.
 */
export function toLiteralJson(json: string): string {
  return toVisibleJson(json).replace(/\\(u[0-9a-f]{4}|.)/gi, (found, escaped: string) => {
    const isControl = /^[bfr]$/.test(escaped)
    if (!isControl && escaped[0] !== 'u') return found
    return isControl || hasInvisible(JSON.parse(`"${found}"`)) ? `\\${found}` : found
  })
}
