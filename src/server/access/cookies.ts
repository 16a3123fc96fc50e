/** Cookies: read from a request, and written so that no script and no other site gets at them. */

/** Of a name that is there twice the first counts. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim()
  }
  return undefined
}

/** `seconds` 0 takes it away. `Lax` comes along when another site leads here, `Strict` does not. */
export function cookie(
  name: string,
  value: string,
  seconds: number,
  isSecure: boolean,
  sameSite: 'Lax' | 'Strict' = 'Lax',
): string {
  const always = `Path=/; HttpOnly; SameSite=${sameSite}`
  return `${name}=${value}; Max-Age=${seconds}; ${always}${isSecure ? '; Secure' : ''}`
}
