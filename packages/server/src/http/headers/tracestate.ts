/**
 * Vendor data of a trace (W3C Trace Context § 3.3), which is passed on with its `traceparent`.
 * In: the header `tracestate` as sent. Out: its members, in their order; undefined for a header that is not valid.
 */
const mostMembers = 32
const mostCharacters = 512
/** A longer header is ignored, as § 3.3.1.4 allows. */
const longestHeader = 4_096
/** Longer members are removed first when the list is too long (§ 3.3.1.5). */
const longMember = 128

const key = /^[a-z0-9][a-z0-9_*/-]{0,255}$|^[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}$/
/** Printable characters without comma and equals sign; the last one is not a space. */
const value = /^[ -+\--<>-~]{0,255}[!-+\--<>-~]$/

export function findTracestate(sent: string | string[] | undefined): string | undefined {
  if (typeof sent !== 'string' || sent.length > longestHeader) return undefined
  const members = sent.split(',', mostCharacters).map(withoutSpace).filter(Boolean)
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf('='))))
  if (members.length > mostMembers || keys.size < members.length || !members.every(isValid)) return undefined
  return cut(members).join(',') || undefined
}

function isValid(member: string): boolean {
  const equals = member.indexOf('=')
  return key.test(member.slice(0, Math.max(0, equals))) && value.test(member.slice(equals + 1))
}

/** Spaces and tabs only: `trim` would also remove characters that are not valid. */
function withoutSpace(member: string): string {
  let [start, end] = [0, member.length]
  while (isSpace(member[start])) start++
  while (end > start && isSpace(member[end - 1])) end--
  return member.slice(start, end)
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

/** Removes whole members: the long ones first, then from the end. */
function cut(members: string[]): string[] {
  if (members.join(',').length <= mostCharacters) return members
  const kept = members.filter(({ length }) => length <= longMember)
  while (kept.join(',').length > mostCharacters) kept.pop()
  return kept
}
