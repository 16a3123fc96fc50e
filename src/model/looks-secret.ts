/** Tells by its name, or by a password inside an address, whether a variable's value must not be shown. */

const words = /PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|PRIVATE|(?:KEY|PASS|PWD)(?:$|_)/i

/** Rather one too many: a value that is sealed for nothing costs a masked line in a diff. */
export function looksSecret(name: string, value: string): boolean {
  if (name === 'PWD') return false
  return words.test(name) || /^[a-z][a-z0-9+.-]*:\/\/[^/\s@:]*:[^/\s@]+@/i.test(value)
}
