/**
 * The body of an answer that is too large to be made at once: a JSON object whose list `data` is made in portions.
 * In: portions of items, each item as JSON text, and then the other members. Out: the same for one reader, or the text of the
 * body. What makes the portions is stopped when the reader stops.
 */
type Rest<B> = Omit<B, 'data'>

/** Yields portions of items; returns the other members of the body, which it knows at the end. */
export type Portions<B> = AsyncGenerator<string[], Rest<B> | undefined, undefined>

export class JsonList<B extends { data: unknown[] }> {
  readonly #portions: Portions<B>
  readonly #first: IteratorResult<string[], Rest<B> | undefined>
  /** The other members of the body, when all items are read. */
  rest: Rest<B> | undefined

  private constructor(portions: Portions<B>, first: IteratorResult<string[], Rest<B> | undefined>) {
    this.#portions = portions
    this.#first = first
  }

  /** Waits for the first portion, so that an error before it is answered as an error. */
  static async start<B extends { data: unknown[] }>(portions: Portions<B>): Promise<JsonList<B>> {
    return new JsonList(portions, await portions.next())
  }

  async *items(): AsyncGenerator<string[], void, undefined> {
    try {
      let next = this.#first
      for (; !next.done; next = await this.#portions.next()) yield next.value
      this.rest = next.value
    } finally {
      await this.close()
    }
  }

  async *text(): AsyncGenerator<string, void, undefined> {
    let separator = ''
    yield '{"data":['
    for await (const items of this.items()) {
      if (items.length === 0) continue
      yield `${separator}${items.join(',')}`
      separator = ','
    }
    const rest = JSON.stringify(this.rest ?? {}).slice(1)
    yield rest === '}' ? ']}' : `],${rest}`
  }

  /** Call it when `items` or `text` may not have been read at all. */
  async close(): Promise<void> {
    await this.#portions.return(undefined)
  }
}
