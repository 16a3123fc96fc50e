/** What programs write for terminals alone (colours, titles, links) is left out: a page shows it as boxes and numbers. */
// oxlint-disable-next-line no-control-regex
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g

export function withoutColours(text: string): string {
  return text.includes('\u001b') ? text.replaceAll(sequences, '') : text
}
