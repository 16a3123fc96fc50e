/** Whose turn it is, with two processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairQueue, type FairQueue as Queue } from './fair-queue.ts'

type Job = { readonly source: string }
type FairQueue = Queue<Job>

function queueWith(...sources: readonly string[]): FairQueue {
  const queue: FairQueue = fairQueue(2)
  for (const source of sources) queue.add({ source })
  return queue
}

function begun(queue: FairQueue): readonly Job[] {
  const jobs: Job[] = []
  for (let job = queue.next(); job !== undefined; job = queue.next()) jobs.push(job)
  return jobs
}

function sourcesOf(jobs: readonly Job[]): string {
  return jobs.map(({ source }) => source).join(' ')
}

test('one source alone has both processes', () => {
  assert.equal(sourcesOf(begun(queueWith('a', 'a', 'a'))), 'a a')
})

test('sources take turns, whoever asked first and however often', () => {
  const queue = queueWith('a', 'a', 'a', 'b', 'b', 'c')
  const order: string[] = []
  for (let running = begun(queue); running.length > 0; running = begun(queue)) {
    for (const job of running) {
      order.push(job.source)
      queue.done(job, false)
    }
  }
  assert.equal(order.toSorted().join(''), 'aaabbc')
  assert.deepEqual(order.slice(0, 3).toSorted(), ['a', 'b', 'c'])
})

test('one who comes while another holds all processes gets one more at once', () => {
  const queue = queueWith('a', 'a', 'a')
  assert.equal(sourcesOf(begun(queue)), 'a a')
  queue.add({ source: 'b' })
  queue.add({ source: 'c' })
  assert.equal(sourcesOf(begun(queue)), 'b')
})

test('the one more is never for a source that holds one, nor for one that was slow', () => {
  const queue = queueWith('slow', 'a', 'a')
  const [slow] = begun(queue)
  queue.done(slow!, true)
  assert.equal(sourcesOf(begun(queue)), 'a')
  queue.add({ source: 'slow' })
  queue.add({ source: 'a' })
  assert.equal(sourcesOf(begun(queue)), '')
  queue.add({ source: 'quick' })
  assert.equal(sourcesOf(begun(queue)), 'quick')
})

test('slow sources leave a process to the others while any of those waits', () => {
  const queue = queueWith('one', 'two')
  for (const job of begun(queue)) queue.done(job, true)
  for (const source of ['one', 'two', 'good', 'good']) queue.add({ source })
  const first = begun(queue)
  assert.equal(sourcesOf(first), 'good good')
  first.forEach((job) => queue.done(job, false))
  assert.equal(sourcesOf(begun(queue)), 'one two')
})

test('a quick render makes a source quick again', () => {
  const queue = queueWith('a')
  const [slow] = begun(queue)
  queue.done(slow!, true)
  queue.add({ source: 'a' })
  const [quick] = begun(queue)
  queue.done(quick!, false)
  for (const source of ['b', 'c']) queue.add({ source })
  assert.equal(begun(queue).length, 2)
  queue.add({ source: 'a' })
  assert.equal(sourcesOf(begun(queue)), 'a')
})

test('what waits can be taken out', () => {
  const queue = queueWith('a', 'a', 'a', 'b')
  begun(queue)
  assert.equal(queue.clear().length, 2)
  assert.equal(queue.next(), undefined)
})
