/** Writes YAML for programs of others: those written in Go read `y`, `on` and `1_000` as YAML 1.1 does, so such texts are quoted. */
import { stringify } from 'yaml'

export function writeYaml(value: unknown): string {
  return stringify(value, { compat: 'yaml-1.1' })
}
