/** Whose turn it is, with two processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairQueue, type FairQueue, type Job } from './fair-queue.ts'

function jobOf(source: string): Job {
  return { source, work: async () => () => undefined, refuse: () => undefined }
}

function queueWith(...sources: readonly string[]): FairQueue {
  const queue = fairQueue(2)
  for (const source of sources) queue.add(jobOf(source))
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
  queue.add(jobOf('b'))
  queue.add(jobOf('c'))
  assert.equal(sourcesOf(begun(queue)), 'b')
})

test('the one more is never for a source that holds one, nor for one that was slow', () => {
  const queue = queueWith('slow', 'a', 'a')
  const [slow] = begun(queue)
  queue.done(slow!, true)
  assert.equal(sourcesOf(begun(queue)), 'a')
  queue.add(jobOf('slow'))
  queue.add(jobOf('a'))
  assert.equal(sourcesOf(begun(queue)), '')
  queue.add(jobOf('quick'))
  assert.equal(sourcesOf(begun(queue)), 'quick')
})

test('slow sources leave a process to the others while any of those waits', () => {
  const queue = queueWith('one', 'two')
  for (const job of begun(queue)) queue.done(job, true)
  for (const source of ['one', 'two', 'good', 'good']) queue.add(jobOf(source))
  const first = begun(queue)
  assert.equal(sourcesOf(first), 'good good')
  first.forEach((job) => queue.done(job, false))
  assert.equal(sourcesOf(begun(queue)), 'one two')
})

test('a quick render makes a source quick again', () => {
  const queue = queueWith('a')
  const [slow] = begun(queue)
  queue.done(slow!, true)
  queue.add(jobOf('a'))
  const [quick] = begun(queue)
  queue.done(quick!, false)
  for (const source of ['b', 'c']) queue.add(jobOf(source))
  assert.equal(begun(queue).length, 2)
  queue.add(jobOf('a'))
  assert.equal(sourcesOf(begun(queue)), 'a')
})

test('what waits can be taken out', () => {
  const queue = queueWith('a', 'a', 'a', 'b')
  begun(queue)
  assert.equal(queue.clear().length, 2)
  assert.equal(queue.next(), undefined)
})
