/** The clusters table from the command line: made, filled, read, and kept from what can't be. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { tendOn } from '../testbed/tend.ts'

const { tend, write, remove } = tendOn('/nonexistent')
after(remove)

const csv = `# env,provider,node_port,pf_port,register_portainer,haproxy_route,http_port,https_port,cluster_subnet
devops,k3d,30800,19000,false,false,23800,23843,
dev,k3d,30080,19001,true,true,18090,18443,10.101.0.0/16
dev-a,kind,30081,19011,yes,no,18093,18446,
`

test('defect 8: the table counts, a file only on demand: init, import, add, rm, list', async () => {
  const early = await tend('fleet list --db t.db')
  assert.equal(early.code, 2)
  assert.match(early.err, /no clusters table[\s\S]*tend fleet init/)
  write({ 'environments.csv': csv })
  const made = await tend('fleet init --db t.db --import environments.csv')
  assert.equal(made.code, 0, made.err)
  assert.match(made.out, /3 rows[\s\S]*Taken from environments.csv: devops, dev, dev-a/)
  assert.match(made.err, /Warning: rows are taken/)

  const added = await tend('fleet add uat --provider kwok --db t.db -o json')
  assert.equal(added.code, 0, added.err)
  const { cluster } = JSON.parse(added.out)
  assert.ok(cluster.http_port >= 18_091)
  assert.equal(cluster.desired_state, 'present')

  write({ 'environments.csv': csv.replace('18090', '18999') })
  const again = await tend('fleet init --db t.db --import environments.csv')
  assert.match(again.err, /dev is in the table already/)
  const removed = await tend('fleet rm dev --db t.db')
  assert.equal(removed.code, 0)
  const listed = JSON.parse((await tend('fleet list --db t.db --output json')).out)
  const rows = new Map<string, Record<string, unknown>>(
    listed.clusters.map((row: { name: string }) => [row.name, row]),
  )
  assert.deepEqual([...rows.keys()], ['dev', 'dev-a', 'devops', 'uat'])
  assert.equal(rows.get('dev')?.['http_port'], 18_090, 'a file never changes a row')
  assert.equal(rows.get('dev')?.['desired_state'], 'absent')
  assert.match((await tend('fleet list --db t.db')).out, /^dev +k3d +absent +unknown +18090/m)

  // who marked the wrong one takes it back, as it was
  assert.equal((await tend('fleet add dev --provider kind --db t.db')).code, 2)
  assert.equal((await tend('fleet add dev --provider k3d --http-port 19999 --db t.db')).code, 2)
  const back = await tend('fleet add dev --provider k3d --db t.db --output json')
  assert.equal(back.code, 0, back.err)
  const { desired_state, http_port } = JSON.parse(back.out).cluster
  assert.deepEqual([desired_state, http_port], ['present', 18_090])
  assert.match((await tend('fleet list --db t.db --json')).out, /"desired_state": "present"/)

  // what was switched off is seen, and a shell offers what there is
  assert.equal((await tend('fleet add bare --provider kwok --no-route --no-git --db t.db')).code, 0)
  assert.match((await tend('fleet list --db t.db')).out, /^bare .* - +route, git$/m)
  assert.match((await tend('__complete fleet rm --db t.db ')).out, /^bare\ndev\ndev-a\n/)
  assert.equal((await tend('__complete fleet rm --db nowhere.db ')).out.trim(), '')
})

test('fleet.yaml is refused where it names a folder that can hold nothing', async () => {
  await tend('fleet init --db p.db')
  write({ 'p.yaml': 'baseDomain: a.test\nhaproxy:\n  folder: /proc/x\n' })
  const refused = await tend('fleet bootstrap --db p.db --config p.yaml')
  assert.equal(refused.code, 2)
  assert.match(refused.err, /p\.yaml:3:\d+ haproxy\.folder: nothing can be kept in \/proc/)
})

test('a file is taken whole or not at all, and what is wrong in it is told with its line', async () => {
  write({ 'bad.csv': `${csv}dev-b,kind,30082,19012,true,true,18090,18447,\n` })
  const told = await tend('fleet init --db i.db --import bad.csv')
  assert.equal(told.code, 2)
  assert.match(told.err, /bad\.csv:5:1 http_port 18090 is also http_port of dev/)
  assert.equal(JSON.parse((await tend('fleet list --db i.db --json')).out).clusters.length, 0)
})

test('processes that add at once never give one port twice', async () => {
  await tend('fleet init --db p.db')
  const names = ['a', 'b', 'c', 'd']
  const told = await Promise.all(
    names.map((name) => tend(`fleet add ${name} --provider k3d --subnet auto --db p.db -o json`)),
  )
  const rows = told.map(({ out, err }) => {
    assert.equal(err, '')
    return JSON.parse(out).cluster
  })
  const ports = rows.flatMap(({ http_port, https_port, pf_port }) => [
    http_port,
    https_port,
    pf_port,
  ])
  assert.equal(new Set(ports).size, 12)
  assert.equal(new Set(rows.map(({ subnet }) => subnet)).size, 4)
})

test('what no row may be is refused with the way out', async () => {
  await tend('fleet init --db r.db')
  const cases = [
    ['fleet add devops --provider k3d', /management cluster/],
    ['fleet rm devops', /management cluster/],
    ['fleet rm nobody', /no row for nobody/],
    ['fleet add a', /needs a provider/],
    ['fleet add a --provider k4d', /"k4d" is not known/],
    ['fleet add -x --provider kind', /unknown flag/],
    ['fleet add A --provider kind', /can't be the name/],
    ['fleet add a --provider kind --node-port 80', /node_port 80/],
    ['fleet add a --provider kind --http-port 65536', /use one from 1 to 65535/],
    ['fleet add a --provider k3d --subnet 10.1.2.3/16', /is no subnet/],
    [`fleet add ${'a'.repeat(33)} --provider k3d`, /32 letters/],
  ] as const
  for (const [line, message] of cases) {
    const told = await tend(`${line} --db r.db`)
    assert.equal(told.code, 2, `${line}: ${told.out}`)
    assert.match(told.err, message)
  }
  assert.equal(JSON.parse((await tend('fleet list --db r.db -o json')).out).clusters.length, 0)
})

test('help names the verbs and what tells them apart', async () => {
  const { out } = await tend('fleet --help')
  for (const word of ['init', 'add', 'rm', 'list'])
    assert.match(out, new RegExp(`^  ${word} `, 'm'))
  assert.match((await tend('--help')).out, /^ {2}fleet {5,}clusters from a table/m)
})
