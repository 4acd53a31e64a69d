/**
 * Items of large answers as JSON. In: an object, or its text. Out: the text. That of an object is made once: all
 * readers of an account get the same objects, and what has changed is another object.
 */
export type JsonItem = string | object

const texts = new WeakMap<object, string>()

export function toJsonText(item: JsonItem): string {
  if (typeof item === 'string') return item
  let text = texts.get(item)
  if (text === undefined) texts.set(item, (text = JSON.stringify(item)))
  return text
}
