/** Canonical quantities as numbers. */

const factors: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  K: 1024,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
  Pi: 1024 ** 5,
  Ei: 1024 ** 6,
}

/** "512Mi"; Docker's "10m" for the size of logs is understood too. */
export function bytesOf(text: string): number {
  const [, number = '', unit = ''] = /^([\d.]+)\s*([a-zA-Z]*)$/.exec(text) ?? []
  const factor = factors[unit] ?? factors[unit.toUpperCase().replace(/^([KMGTPE])B?$/, '$1i')]
  if (number === '' || factor === undefined) throw new TypeError(`no quantity: ${text}`)
  return Math.round(Number(number) * factor)
}

/** "0.5", "500m". */
export function cpusOf(text: string): number {
  return text.endsWith('m') ? Number(text.slice(0, -1)) / 1000 : Number(text)
}
