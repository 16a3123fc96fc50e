/** A value that is there by the way the code is made, where its type can't say so. If it is missing, the code is wrong, and this says so at once. */
export function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('a value that is always there is missing')
  return value
}
