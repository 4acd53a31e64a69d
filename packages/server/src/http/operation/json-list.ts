/**
 * The body of an answer that is too large to be made at once: a JSON object with a list that is made in portions.
 * In: portions of items, objects or JSON text, and then the other members; those that are known before may come before
 * the list.
 * Out: the same for one reader, or the text of the body. What makes the portions is stopped when the reader stops.
 */
import { type JsonItem, toJsonText } from './json-text.ts'

/** Yields portions of the list; returns the other members of the body, which it knows at the end. */
export type Portions<B, List extends keyof B = 'data' & keyof B, Known extends keyof B = never> = AsyncGenerator<
  JsonItem[],
  Omit<B, List | Known> | undefined,
  undefined
>

interface Opening<B> {
  list: string
  members: Partial<B>
}

export class JsonList<B> {
  readonly #opening: Opening<B>
  readonly #portions: AsyncGenerator<JsonItem[], unknown, undefined>
  /** Undefined once it was read, because it may be large. */
  #first: IteratorResult<JsonItem[], unknown> | undefined
  /** What the portions returned at the end. */
  #rest: object = {}
  #onFurther = () => {}

  private constructor(
    opening: Opening<B>,
    portions: AsyncGenerator<JsonItem[], unknown, undefined>,
    first: IteratorResult<JsonItem[], unknown>,
  ) {
    this.#opening = opening
    this.#portions = portions
    this.#first = first
  }

  /** Waits for the first portion, so that an error before it is answered as an error. */
  static async start<B extends { data: unknown[] }>(portions: Portions<B>): Promise<JsonList<B>> {
    return new JsonList<B>({ list: 'data', members: {} }, portions, await portions.next())
  }

  /** The same for a list of another name, or with members that come before it. */
  static async startAfter<B, List extends keyof B & string, Known extends keyof B>(
    members: Pick<B, Known>,
    list: List,
    portions: Portions<B, List, Known>,
  ): Promise<JsonList<B>> {
    return new JsonList<B>({ list, members: { ...members } as Partial<B> }, portions, await portions.next())
  }

  /** @param onFurther Called when each portion after the first one is made. */
  countFurther(onFurther: () => void): void {
    this.#onFurther = onFurther
  }

  async *items(): AsyncGenerator<JsonItem[], void, undefined> {
    try {
      let next = this.#first ?? (await this.#portions.next())
      this.#first = undefined
      while (!next.done) {
        yield next.value
        next = await this.#portions.next()
        if (!next.done) this.#onFurther()
      }
      this.#rest = next.value ?? {}
    } finally {
      await this.close()
    }
  }

  /** The members besides the list; all of them when the items were read. */
  members(): Partial<B> {
    return { ...this.#opening.members, ...this.#rest }
  }

  async *text(): AsyncGenerator<string, void, undefined> {
    const { list, members } = this.#opening
    const before = JSON.stringify(members).slice(0, -1)
    yield `${before}${before === '{' ? '' : ','}${JSON.stringify(list)}:[`
    let separator = ''
    for await (const items of this.items()) {
      if (items.length === 0) continue
      yield `${separator}${items.map(toJsonText).join(',')}`
      separator = ','
    }
    const rest = JSON.stringify(this.#rest).slice(1)
    yield rest === '}' ? ']}' : `],${rest}`
  }

  /** All items of a list of objects, for readers in this process. Others may have the same objects. */
  async objects<T>(): Promise<T[]> {
    const read: T[] = []
    // The operation makes no text of its own.
    for await (const items of this.items()) read.push(...(items as T[]))
    return read
  }

  /** Call it when `items` or `text` may not have been read at all. */
  async close(): Promise<void> {
    await this.#portions.return(undefined)
  }
}
