/** Preloaded into one process (NODE_OPTIONS=--import=…): its clock is TEND_TEST_CLOCK ms ahead of all others, or behind. */
const ahead = Number(process.env['TEND_TEST_CLOCK'] ?? 0)
const now = Date.now.bind(Date)

Object.defineProperty(globalThis, 'Date', {
  configurable: true,
  writable: true,
  value: new Proxy(Date, {
    construct: (real, given) =>
      Reflect.construct(real, given.length === 0 ? [now() + ahead] : given),
    get: (real, name) => (name === 'now' ? () => now() + ahead : Reflect.get(real, name)),
  }),
})
