/**
 * Puts the JSON values of a text together, wherever their lines end: one value per line, one on several lines as
 * receivers write a file, or several on one line.
 * In: lines. Out: values, in order. What is no JSON, or does not end, is told with its first line, and the value after
 * it is read again.
 */
import { parseLine, withoutByteOrderMark } from '../fields.ts'
import { quote } from '../reasons.ts'

export interface JsonAssembler {
  /** The values that end in this line. `where` names the line in messages: `line 7`. */
  add(line: string, where: string): unknown[]
  /** The text has ended. */
  end(): void
}

/** Larger than any snapshot of an aggregator. */
const maxLength = 64 * 1_048_576

export function createJsonAssembler(onUnreadable: (message: string) => void): JsonAssembler {
  let pending: { lines: string[]; length: number; where: string; scan: Scan } | undefined

  return {
    add(line, where) {
      const text = withoutByteOrderMark(line).trim()
      if (text === '') return []
      if (pending && cannotFollow(text, pending.scan)) giveUp()
      if (pending) return goOn(text)
      const value = parseLine(text)
      return value === undefined ? start(text, where) : [value]
    },
    end() {
      if (pending) giveUp()
    },
  }

  function start(text: string, where: string): unknown[] {
    const values: unknown[] = []
    for (let rest = text; rest !== ''; ) {
      const scan = createScan()
      const end = /^[{[]/.test(rest) ? scan.read(rest) : -1
      if (end === undefined) {
        pending = { lines: [rest], length: rest.length, where, scan }
        return values
      }
      const value = end < 0 ? undefined : parseLine(rest.slice(0, end))
      if (value === undefined) {
        onUnreadable(`${where}: not JSON: ${quote(rest)}`)
        return values
      }
      values.push(value)
      // A NUL ends a message of some receivers.
      rest = rest.slice(end).replace(/^[\s\0]+/, '')
    }
    return values
  }

  function goOn(text: string): unknown[] {
    if (!pending) return []
    const { lines, scan, where } = pending
    const end = scan.read(text)
    lines.push(end === undefined ? text : text.slice(0, end))
    pending.length += text.length
    if (end === undefined) {
      if (pending.length > maxLength) giveUp()
      return []
    }
    // A line end within a text, which some receivers write, is a space.
    const value = parseLine(lines.join(' '))
    if (value === undefined) giveUp()
    pending = undefined
    const rest = text.slice(end).trim()
    return [...(value === undefined ? [] : [value]), ...(rest === '' ? [] : start(rest, where))]
  }

  function giveUp(): void {
    if (!pending) return
    onUnreadable(`${pending.where}: JSON that does not end: ${quote(pending.lines[0] ?? '')}`)
    pending = undefined
  }
}

interface Scan {
  /** Reads on. Returns the index after the value, if it ends in the text. */
  read(text: string): number | undefined
  isInText(): boolean
  /** The innermost object or array. */
  container(): string | undefined
  last(): string
}

function createScan(): Scan {
  const open: string[] = []
  let isInText = false
  let isEscaped = false
  let last = ''
  return {
    read(text) {
      for (let at = 0; at < text.length; at += 1) {
        const character = text[at] ?? ''
        if (isInText) {
          if (isEscaped) isEscaped = false
          else if (character === '\\') isEscaped = true
          else if (character === '"') isInText = false
          continue
        }
        if (character === '"') isInText = true
        else if (character === '{' || character === '[') open.push(character)
        else if (character === '}' || character === ']') open.pop()
        if (character.trim() !== '') last = character
        if (open.length === 0) return at + 1
      }
      return undefined
    },
    isInText: () => isInText,
    container: () => open.at(-1),
    last: () => last,
  }
}

/** A line that begins an object is no part of a value that expects something else there: that one was cut off. */
function cannotFollow(text: string, scan: Scan): boolean {
  if (!text.startsWith('{')) return false
  if (scan.isInText()) return true
  return scan.container() === '[' ? !['[', ','].includes(scan.last()) : scan.last() !== ':'
}
