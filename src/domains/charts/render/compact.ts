/** Leaves out what is undefined, so that a spec's text says only what was asked for. */

type Compact<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }

export function compact<Fields extends object>(fields: Fields): Compact<Fields> {
  const copy = { ...fields }
  for (const [name, value] of Object.entries(copy)) {
    if (value === undefined) Reflect.deleteProperty(copy, name)
  }
  if (!isCompact(copy)) throw new TypeError('a field is undefined that was just left out')
  return copy
}

function isCompact<Fields extends object>(fields: Fields): fields is Fields & Compact<Fields> {
  return Object.values(fields).every((value) => value !== undefined)
}
