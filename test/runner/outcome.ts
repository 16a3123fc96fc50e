/** A reporter of node:test that writes one line of JSON for what failed and one for the counts: what `npm test` adds up. */
export type Failed = {
  readonly type: 'failed'
  readonly name: string
  readonly file: string
  readonly line: number
  /** 0: declared by the file itself, so that it can be run by its name. */
  readonly nesting: number
}
export type Counts = {
  readonly type: 'counts'
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

type Said = { readonly type: string; readonly data: Data }
type Data = {
  readonly name?: string
  readonly file?: string
  readonly line?: number
  readonly nesting?: number
  readonly todo?: string | boolean
  readonly counts?: Readonly<Record<'tests' | 'passed' | 'skipped' | 'todo', number>>
}

export default async function* outcome(events: AsyncIterable<Said>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && (data.todo === undefined || data.todo === false)) {
      const { name = '', file = '', line = 0, nesting = 0 } = data
      yield `${JSON.stringify({ type: 'failed', name, file, line, nesting } satisfies Failed)}\n`
    }
    if (type === 'test:summary' && data.file === undefined && data.counts !== undefined) {
      const { tests, passed, skipped, todo } = data.counts
      const failed = tests - passed - skipped - todo
      yield `${JSON.stringify({ type: 'counts', passed, failed, skipped } satisfies Counts)}\n`
    }
  }
}
