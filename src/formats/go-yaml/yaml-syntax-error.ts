/** Says why a text is not valid YAML, at which offset of the text, and what its author could do. */
export class YamlSyntaxError extends Error {
  readonly offset: number
  readonly advice: string | undefined

  constructor(offset: number, message: string, advice?: string) {
    super(message)
    this.name = 'YamlSyntaxError'
    this.offset = offset
    this.advice = advice
  }
}
