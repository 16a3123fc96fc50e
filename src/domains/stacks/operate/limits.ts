/** How much a container may use. `deploy.resources` counts where the service itself says nothing. */
import { numberOf, recordOf, recordsOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { ServiceSpec } from '../spec.ts'

export function limitsOf(
  spec: Pick<ServiceSpec, 'service'>,
): Readonly<Record<string, Json | undefined>> {
  const { service } = spec
  const { limits, reservations } = resourcesOf(spec)
  const cpus = amount(service['cpus']) ?? amount(limits['cpus'])
  const blkio = recordOf(service['blkio_config'])
  return {
    NanoCpus: cpus === undefined || cpus === 0 ? undefined : Math.round(cpus * 1e9),
    CpuShares: amount(service['cpu_shares']),
    CpuPeriod: amount(service['cpu_period']),
    CpuQuota: amount(service['cpu_quota']),
    CpuRealtimePeriod: amount(service['cpu_rt_period']),
    CpuRealtimeRuntime: amount(service['cpu_rt_runtime']),
    CpusetCpus: textOf(service['cpuset']),
    CpuCount: amount(service['cpu_count']),
    CpuPercent: amount(service['cpu_percent']),
    Memory: amount(service['mem_limit']) ?? amount(limits['memory']),
    MemoryReservation: amount(service['mem_reservation']) ?? amount(reservations['memory']),
    MemorySwap: amount(service['memswap_limit']),
    MemorySwappiness: amount(service['mem_swappiness']),
    OomKillDisable: service['oom_kill_disable'] === true ? true : undefined,
    OomScoreAdj: amount(service['oom_score_adj']),
    PidsLimit: amount(service['pids_limit']) ?? amount(limits['pids']),
    ShmSize: amount(service['shm_size']),
    Ulimits: ulimitsOf(service['ulimits']),
    BlkioWeight: amount(blkio['weight']),
    BlkioWeightDevice: recordsOf(blkio['weight_device']).map((device) => ({
      Path: textOf(device['path'] ?? device['Path']),
      Weight: amount(device['weight'] ?? device['Weight']) ?? 0,
    })),
    BlkioDeviceReadBps: throttles(blkio['device_read_bps']),
    BlkioDeviceReadIOps: throttles(blkio['device_read_iops']),
    BlkioDeviceWriteBps: throttles(blkio['device_write_bps']),
    BlkioDeviceWriteIOps: throttles(blkio['device_write_iops']),
  }
}

export function deviceRequests(spec: ServiceSpec): readonly JsonRecord[] {
  const wanted: readonly JsonRecord[] = [
    ...recordsOf(resourcesOf(spec).reservations['devices']),
    ...recordsOf(spec.service['gpus']).map((device) => ({
      ...device,
      capabilities: [...textsOf(device['capabilities']), 'gpu'],
    })),
  ]
  return wanted.map((device) => {
    const ids = textsOf(device['device_ids'])
    return {
      Driver: textOf(device['driver']),
      Capabilities: [textsOf(device['capabilities'])],
      Options: textMapOf(device['options']),
      ...(ids.length > 0 ? { DeviceIDs: ids } : { Count: amount(device['count']) ?? -1 }),
    }
  })
}

function resourcesOf({ service }: Pick<ServiceSpec, 'service'>): {
  readonly limits: JsonRecord
  readonly reservations: JsonRecord
} {
  const resources = recordOf(recordOf(service['deploy'])['resources'])
  return {
    limits: recordOf(resources['limits']),
    reservations: recordOf(resources['reservations']),
  }
}

/** Sizes are texts of bytes in the model. */
function amount(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value !== '' ? Number(value) : undefined
}

function ulimitsOf(value: unknown): readonly JsonRecord[] {
  return Object.entries(recordOf(value)).map(([Name, limit]) => {
    if (typeof limit === 'number') return { Name, Soft: limit, Hard: limit }
    const { soft, hard } = recordOf(limit)
    return { Name, Soft: numberOf(soft), Hard: numberOf(hard) }
  })
}

function throttles(value: unknown): readonly JsonRecord[] {
  return recordsOf(value).map((device) => ({
    Path: textOf(device['path'] ?? device['Path']),
    Rate: amount(device['rate'] ?? device['Rate']) ?? 0,
  }))
}
