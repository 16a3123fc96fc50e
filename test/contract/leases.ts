/** What all leases do, whatever they are kept in. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Holder, Lease, Leases } from '#model/store.ts'

export function isLease(answer: Lease | Holder): answer is Lease {
  return 'release' in answer
}

export function leaseOf(answer: Lease | Holder): Lease {
  assert.ok(isLease(answer), `held: ${JSON.stringify(answer)}`)
  return answer
}

function holderOf(answer: Lease | Holder): Holder {
  assert.ok(!isLease(answer), 'it was free')
  return answer
}

export function leasesContract(
  name: string,
  make: () => Promise<{ leases: Leases; close(): Promise<void> }>,
): void {
  void describe(`${name} as leases`, () => {
    function behaves(how: string, work: (leases: Leases) => Promise<void>): void {
      void test(how, async () => {
        const made = await make()
        try {
          await work(made.leases)
        } finally {
          await made.close()
        }
      })
    }

    behaves('one holds it, the others learn who and since when', async (leases) => {
      const lease = leaseOf(await leases.take('chart:web', 'first'))
      const answer = holderOf(await leases.take('chart:web', 'second'))
      assert.equal(answer.name, 'first')
      assert.deepEqual(await leases.take('chart:web', 'third'), answer)
      assert.equal(lease.lost.aborted, false)
      await lease.release()
    })

    behaves('it is free again when released, once or twice', async (leases) => {
      const first = leaseOf(await leases.take('chart:web', 'first'))
      await first.release()
      const second = leaseOf(await leases.take('chart:web', 'second'))
      await first.release()
      assert.equal(holderOf(await leases.take('chart:web', 'third')).name, 'second')
      assert.equal(second.lost.aborted, false)
      await second.release()
    })

    behaves('each who takes it has a higher generation than all before', async (leases) => {
      let before = 0
      for (let i = 0; i < 3; i += 1) {
        const lease = leaseOf(await leases.take('chart:web', `holder ${i}`))
        assert.ok(lease.generation > before, `${lease.generation} after ${before}`)
        assert.equal(lease.isHeld(), true)
        before = lease.generation
        await lease.release()
        assert.equal(lease.isHeld(), false)
      }
    })

    behaves('keys do not mind each other', async (leases) => {
      const one = leaseOf(await leases.take('chart:one', 'x'))
      const two = leaseOf(await leases.take('chart:two', 'x'))
      await Promise.all([one.release(), two.release()])
    })

    behaves('of many at once, one gets it', async (leases) => {
      const names = Array.from({ length: 20 }, (_, i) => `holder ${i}`)
      const answers = await Promise.all(names.map((holder) => leases.take('chart:web', holder)))
      assert.equal(answers.filter(isLease).length, 1)
      await Promise.all(answers.filter(isLease).map((lease) => lease.release()))
    })
  })
}
