/** Asks the worker where nodes and edges go. */

export type LayoutQuestion = {
  readonly question: number
  readonly nodes: readonly {
    readonly id: string
    readonly width: number
    readonly height: number
  }[]
  readonly edges: readonly { readonly from: string; readonly to: string }[]
}

export type Point = { readonly x: number; readonly y: number }

export type LayoutAnswer = {
  readonly question: number
  readonly nodes: readonly (Point & { readonly id: string })[]
  readonly edges: readonly {
    readonly from: string
    readonly to: string
    readonly points: readonly Point[]
  }[]
}

let worker: Worker | undefined
let last = 0
type Waiting = {
  readonly asked: LayoutQuestion
  readonly answer: (answer: LayoutAnswer) => void
}
const waiting = new Map<number, Waiting>()
/** A worker that could not be loaded is started anew after so long, ms. */
const pause = 2_000

export function askLayout(asked: Omit<LayoutQuestion, 'question'>): Promise<LayoutAnswer> {
  worker ??= start()
  last += 1
  const question = last
  const whole = { question, ...asked }
  worker.postMessage(whole)
  return new Promise((answer) => waiting.set(question, { asked: whole, answer }))
}

function start(): Worker {
  const file = document.querySelector('meta[name="layout-worker"]')?.getAttribute('content') ?? ''
  const started = new Worker(file, { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
    waiting.get(data.question)?.answer(data)
    waiting.delete(data.question)
  })
  started.addEventListener('error', () => {
    if (worker !== started) return
    started.terminate()
    setTimeout(() => {
      worker = start()
      for (const { asked } of waiting.values()) worker.postMessage(asked)
    }, pause)
  })
  return started
}
