/** A process of its own for tests of the store: does what its arguments say and prints what came of it. */
import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openStore, type Opened } from '#store/open.ts'
import { isLease } from './leases.ts'
import { newRun, web } from './store.ts'

const deeds: Readonly<Record<string, (opened: Opened, home: string) => Promise<void>>> = {
  contend,
  hold,
  leave,
  append,
  begin,
}

const [deed, home] = process.argv.slice(2)
const opened = await openStore({ home: home! })
await deeds[deed!]!(opened, home!)
await opened.store.close()

/** 200 times inside the lease; a file that only one can make shows that nobody else is. */
async function contend({ leases }: Opened, folder: string): Promise<void> {
  const mark = join(folder, 'inside')
  let entered = 0
  while (entered < 200) {
    const answer = await leases.take('chart:web', `process ${process.pid}`)
    if (!isLease(answer)) {
      await setTimeout(1)
      continue
    }
    closeSync(openSync(mark, 'wx'))
    entered += 1
    await setTimeout(entered % 2)
    rmSync(mark)
    await answer.release()
  }
  console.log(entered)
}

async function hold({ leases }: Opened): Promise<void> {
  const answer = await leases.take('chart:web', `process ${process.pid}`)
  console.log(isLease(answer) ? 'held' : 'refused')
  await setTimeout(60_000)
}

/** Ends without a word while it holds the lease. */
async function leave({ leases }: Opened): Promise<void> {
  await leases.take('chart:web', 'leaver')
  console.log(0)
}

/** Until it is killed. */
async function append({ store }: Opened): Promise<void> {
  const run = await store.begin(newRun())
  for (let at = 1; ; at++) {
    await store.append(web, run, { at, type: 'opened', run })
    console.log(at)
    if (at % 100 === 0) await setTimeout(0)
  }
}

async function begin({ store }: Opened): Promise<void> {
  for (let i = 0; i < 25; i++) console.log(await store.begin(newRun()))
}
