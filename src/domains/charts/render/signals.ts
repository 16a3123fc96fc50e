/** Signals by name, as Linux numbers them. */

const names =
  'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'.split(
    ' ',
  )

/** `SIGTERM` for SIGTERM, term and 15, the number for one of the nameless ones (RTMIN+3); undefined for what is no signal. */
export function signalName(written: string | number): string | undefined {
  const text = String(written).toUpperCase().replace(/^SIG/, '')
  if (/^\d+$/.test(text)) {
    const name = names[Number(text) - 1]
    return name === undefined ? undefined : `SIG${name}`
  }
  if (names.includes(text)) return `SIG${text}`
  const [, end, distance] = /^RT(MIN|MAX)([+-]\d{1,2})?$/.exec(text) ?? []
  const number = (end === 'MIN' ? 34 : 64) + Number(distance ?? 0)
  return end !== undefined && number >= 34 && number <= 64 ? String(number) : undefined
}
