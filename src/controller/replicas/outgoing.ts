/** What is to be told to the other replicas: collected until the next exchange takes it along, a bounded part at a time. */
import type { Json } from '#model/json.ts'
import type { Exchange } from '#model/replicas.ts'

type Batch = Pick<Exchange, 'messages' | 'shown' | 'ended'>

export type Outgoing = {
  tell(word: Json): void
  show(key: string, body: Json | undefined): void
  ended(key: string): void
  take(): Batch
  /** It may not have been heard: it is told again, unless something newer is shown by now. */
  putBack(batch: Batch): void
  isEmpty(): boolean
}

export function createOutgoing(most: number): Outgoing {
  let words: (readonly [Json, string | undefined])[] = []
  let ends = new Set<string>()
  const shown = new Map<string, Json | undefined>()

  /** With the words that tell of it, never after them: who joins in between reads only what is shown. */
  function shownWith(sent: typeof words): Batch['shown'] {
    const keys = new Set(
      sent.flatMap(([, key]) => (key !== undefined && shown.has(key) ? key : [])),
    )
    const found = [...keys].map((key) => ({ key, body: shown.get(key) }))
    for (const key of keys) shown.delete(key)
    return found
  }

  return {
    tell: (word) => void words.push([{ word }, undefined]),
    show(key, body) {
      words.push([body === undefined ? { shown: key } : { shown: key, body }, key])
      shown.set(key, body)
    },
    ended: (key) => void ends.add(key),
    take() {
      const sent = words.splice(0, most)
      const ended = [...ends]
      ends = new Set()
      return { messages: sent.map(([message]) => message), shown: shownWith(sent), ended }
    },
    putBack(batch) {
      const keys = new Map(batch.shown.map(({ key, body }) => [key, body]))
      const again = batch.messages.map((message) => [message, keyIn(message)] as const)
      words = [...again, ...words]
      for (const [key, body] of keys) if (!shown.has(key)) shown.set(key, body)
      for (const key of batch.ended) ends.add(key)
    },
    isEmpty: () => words.length === 0,
  }
}

function keyIn(message: Json): string | undefined {
  const isOne = typeof message === 'object' && message !== null && 'shown' in message
  return isOne && typeof message.shown === 'string' ? message.shown : undefined
}
