/** Keywords that hold a value against several schemas: allOf, anyOf, oneOf, not, if. */
import type { Outcome } from './outcome.ts'
import type { Keywords, ValuePath } from './read-schema.ts'

export function combined(
  { field, has, inside, check, draft }: Keywords,
  value: unknown,
  path: ValuePath,
  outcome: Outcome,
): void {
  function each(keyword: string): readonly Outcome[] {
    const forms = field(keyword)
    if (!Array.isArray(forms)) return []
    return forms.map((_, index) => check(inside(keyword, index), value, path))
  }
  for (const found of each('allOf')) outcome.take(found)
  if (Array.isArray(field('anyOf'))) {
    const found = each('anyOf')
    for (const one of found) if (one.isValid) outcome.see(one)
    if (!found.some(({ isValid }) => isValid)) nearest(found, path, outcome)
  }
  if (Array.isArray(field('oneOf'))) {
    const found = each('oneOf')
    const fitting = found.filter(({ isValid }) => isValid)
    const [one] = fitting
    if (one === undefined) nearest(found, path, outcome)
    else if (fitting.length > 1)
      outcome.faults.push({
        path,
        message: `fits ${fitting.length} of the allowed forms, and only one may fit`,
      })
    else outcome.see(one)
  }
  if (has('not') && check(inside('not'), value, path).isValid)
    outcome.faults.push({ path, message: 'is of a form that is not allowed' })
  if (!has('if') || draft < 7) return
  const condition = check(inside('if'), value, path)
  if (condition.isValid) outcome.see(condition)
  const branch = condition.isValid ? 'then' : 'else'
  if (has(branch)) outcome.take(check(inside(branch), value, path))
}

/** Of forms of which none fits, the faults of the one that is most nearly meant: with the deepest, then the fewest. */
function nearest(found: readonly Outcome[], path: ValuePath, outcome: Outcome): void {
  const depth = ({ faults }: Outcome) => Math.min(...faults.map((fault) => fault.path.length))
  const [best] = found.toSorted(
    (one, other) => depth(other) - depth(one) || one.faults.length - other.faults.length,
  )
  if (best === undefined) return
  const told = best.faults.map(({ message, path: at }) => {
    const inner = at.slice(path.length).join('.')
    return inner === '' ? message : `${inner}: ${message}`
  })
  const [only = ''] = told
  if (found.length === 1) for (const fault of best.faults) outcome.faults.push(fault)
  else
    outcome.faults.push({
      path,
      message: `fits none of the ${found.length} allowed forms (of the nearest: ${only})`,
    })
}
