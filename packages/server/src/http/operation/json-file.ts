/** A body that is the same in every answer. Its bytes are made once and shared by all answers. */
export class JsonFile<B> {
  readonly bytes: Buffer

  constructor(body: B) {
    this.bytes = Buffer.from(JSON.stringify(body))
  }
}
