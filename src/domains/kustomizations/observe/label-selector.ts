/** Kubernetes' selectors in words: `a=b,c!=d,e,!f,g in (h,i)`. */

export function matchesSelector(
  selector: string,
  labels: Readonly<Record<string, string>>,
): boolean {
  const parts = selector.match(/[^,(]+(?:\([^()]*\))?/g) ?? []
  return parts.every((part) => matches(part.trim(), labels))
}

function matches(part: string, labels: Readonly<Record<string, string>>): boolean {
  if (part === '') return true
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(part)
  if (set !== null) {
    const [, key = '', how, list = ''] = set
    const isIn = list
      .split(',')
      .map((value) => value.trim())
      .includes(labels[key] ?? '\0')
    return how === 'in' ? isIn : !isIn
  }
  const pair = /^([^=!]+)(==|=|!=)(.*)$/.exec(part)
  if (pair !== null) {
    const [key = '', how = '', value = ''] = pair.slice(1).map((one) => one.trim())
    return how === '!=' ? labels[key] !== value : labels[key] === value
  }
  return part.startsWith('!')
    ? labels[part.slice(1).trim()] === undefined
    : labels[part] !== undefined
}
