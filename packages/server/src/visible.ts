/**
 * Characters that people cannot see: with them, a name can look like another one or control a terminal.
 * In: a name that somebody chose. Out: whether it has such characters; the name with each of them as `\u…`.
 */

/**
 * Control, format (bidirectional and zero-width, too) and ignorable characters, line and paragraph separators, lone surrogates,
 * and the blank Braille pattern.
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
