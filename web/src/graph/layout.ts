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
const waiting = new Map<number, (answer: LayoutAnswer) => void>()

export function askLayout(asked: Omit<LayoutQuestion, 'question'>): Promise<LayoutAnswer> {
  worker ??= start()
  last += 1
  const question = last
  worker.postMessage({ question, ...asked })
  return new Promise((resolve) => waiting.set(question, resolve))
}

function start(): Worker {
  const file = document.querySelector('meta[name="layout-worker"]')?.getAttribute('content') ?? ''
  const started = new Worker(file, { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
    waiting.get(data.question)?.(data)
    waiting.delete(data.question)
  })
  return started
}
