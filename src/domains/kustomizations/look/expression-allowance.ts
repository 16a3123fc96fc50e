/** Expressions of objects run in the service itself: what those of one namespace cost is bounded, by evaluation and by minute. */
import { usualBudget, type Budget } from '#formats/cel/cost.ts'

/** About a second of the processor. A thousand looks with usual expressions take a tenth of it. */
const mostPerMinute = 5_000_000
const minute = 60_000
const mostNamespaces = 10_000

const accounts = new Map<string, { readonly since: number; left: number }>()

/** `now`: ms. Throws when the allowance of this namespace is used up: its own applications wait until it is filled again, and others are not affected. */
export function withAllowance<T>(
  namespace: string,
  now: number,
  evaluate: (budget: Budget) => T,
): T {
  const account = accountOf(namespace, now)
  if (account.left <= 0) {
    const seconds = Math.ceil((account.since + minute - now) / 1000)
    throw new Error(
      `the expressions of namespace ${namespace} cost too much; they are asked again in ${seconds} s`,
    )
  }
  const budget: Budget = { left: usualBudget }
  try {
    return evaluate(budget)
  } finally {
    account.left -= usualBudget - budget.left
  }
}

function accountOf(namespace: string, now: number): { readonly since: number; left: number } {
  const known = accounts.get(namespace)
  if (known !== undefined && now >= known.since && now - known.since < minute) return known
  if (accounts.size >= mostNamespaces) accounts.clear()
  const fresh = { since: now, left: mostPerMinute }
  accounts.set(namespace, fresh)
  return fresh
}
