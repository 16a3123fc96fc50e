/** What was taken over without being made anew: its labels are another's and can't be changed, so ours are kept in the marker. */
import { recordLabel, type Labels } from '#domains/containers/record.ts'
import { canonical, isRecord, type Json } from '#model/json.ts'
import { textMapOf } from '#model/read-json.ts'

/** `container ID`, `network ID` or `volume NAME` to the labels that it would have. */
export type Adopted = ReadonlyMap<string, Labels>

export function adoptedText(adopted: Adopted): string {
  return adopted.size === 0 ? '' : canonical(Object.fromEntries(adopted))
}

export function adoptedIn(text: string): Adopted {
  if (text === '') return new Map()
  try {
    const value: Json = JSON.parse(text)
    if (!isRecord<Json>(value)) return new Map()
    return new Map(Object.entries(value).map(([key, labels]) => [key, textMapOf(labels)]))
  } catch {
    // a harmed note says nothing
    return new Map()
  }
}

/** As if it carried the labels. What belongs to somebody by now is left to him. */
export function asAdopted<Item extends { readonly labels: Labels }>(
  items: readonly Item[],
  adopted: Adopted,
  keyOf: (item: Item) => string,
): readonly Item[] {
  if (adopted.size === 0) return items
  return items.map((item) => {
    const more = adopted.get(keyOf(item))
    if (more === undefined || item.labels[recordLabel.owner] !== undefined) return item
    return { ...item, labels: { ...item.labels, ...more } }
  })
}
