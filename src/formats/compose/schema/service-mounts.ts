/** What a service mounts and publishes. */
import { volumeForm } from '../canonical/mounts.ts'
import { portsForm } from '../canonical/ports.ts'
import { bytes, flag, pairs, text, unsigned } from './leaves.ts'
import * as rule from './common-rules.ts'
import { given, setOf, short, struct, written } from './shape.ts'

const port = struct({
  name: text,
  mode: text,
  host_ip: text,
  target: unsigned,
  published: written(rule.wholeOrText, text),
  protocol: text,
  app_protocol: text,
})

export const ports = {
  ...setOf(written({ ...rule.numberOrText, ...port.rule }, port)),
  form: portsForm,
}

const bind = struct({
  selinux: written(rule.oneOf('z', 'Z'), text),
  propagation: text,
  create_host_path: given(flag),
  recursive: written(rule.oneOf('enabled', 'disabled', 'writable', 'readonly'), text),
})

const mount = struct(
  {
    type: written(rule.oneOf('bind', 'volume', 'tmpfs', 'cluster', 'npipe', 'image'), text),
    source: text,
    target: text,
    read_only: flag,
    consistency: text,
    bind: given(bind),
    volume: given(struct({ labels: pairs, nocopy: flag, subpath: text })),
    tmpfs: given(
      struct({
        size: written({ whole: { from: 0 }, text: {} }, bytes),
        mode: written(rule.numberOrText, unsigned),
      }),
    ),
    image: given(struct({ subpath: text })),
  },
  { required: ['type'] },
)

export const mounts = setOf(short(rule.text, volumeForm, mount))
