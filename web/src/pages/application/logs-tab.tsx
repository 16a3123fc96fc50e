/** The logs of all containers of an application, as one. */
import { LogView } from './log-view.tsx'

export function LogsTab({ appKey }: { readonly appKey: string }) {
  return <LogView appKey={appKey} />
}
