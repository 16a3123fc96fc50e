/** Whether a text is an IP address, of version 4 or 6, without a zone. */

export function isIpAddress(text: string): boolean {
  return text.includes(':') ? isVersion6(text) : isVersion4(text)
}

function isVersion4(text: string): boolean {
  const parts = text.split('.')
  return (
    parts.length === 4 &&
    parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256)
  )
}

function isVersion6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  let count = groups.length
  const last = groups.at(-1)
  if (last?.includes('.')) {
    if (!isVersion4(last) || text.endsWith('::')) return false
    groups.pop()
    count++
  }
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false
  return halves.length === 2 ? count < 8 : count === 8
}
