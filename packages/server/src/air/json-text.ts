/**
 * Objects of a picture as JSON. In: a track or an alert. Out: its text, which is made once: all readers of an account get the same
 * objects, and what has changed is another object.
 */
const texts = new WeakMap<object, string>()

export function toJsonText(shared: object): string {
  let text = texts.get(shared)
  if (text === undefined) texts.set(shared, (text = JSON.stringify(shared)))
  return text
}
