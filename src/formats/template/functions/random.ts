/** Sprig's random functions, on the seeded stream. */
import { GoError } from '../errors.ts'
import { int, takes0, takes1, takes2, type Context, type Func } from '../library.ts'
import { int as toGoInt } from '../values.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')

export const randomFunctions: Readonly<Record<string, Func>> = {
  randAlpha: drawnFrom(letters),
  randAlphaNum: drawnFrom(letters + digits),
  randNumeric: drawnFrom(digits),
  randAscii: drawnFrom(ascii),
  randBytes: takes1(int, (context, count) => {
    if (count < 0) throw new GoError('runtime error: makeslice: len out of range')
    context.budget.size(count)
    return context.random().bytes(count).toString('base64')
  }),
  randInt: takes2(int, int, (context, least, most) => {
    if (most <= least) throw new GoError('invalid argument to Intn')
    return toGoInt(context.random().below(BigInt(most) - BigInt(least)) + BigInt(least))
  }),
  uuidv4: takes0((context) => uuid(context)),
}

function drawnFrom(alphabet: string): Func {
  const bound = BigInt(alphabet.length)
  return takes1(int, (context, count) => {
    context.budget.spend(Math.max(count, 0))
    const random = context.random()
    return Array.from(
      { length: Math.max(count, 0) },
      () => alphabet[Number(random.below(bound))] ?? '',
    ).join('')
  })
}

function uuid(context: Context): string {
  const bytes = context.random().bytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
