/** Problems point to the line and column that a person wrote, whatever the template did in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderChart } from './render.ts'
import { input } from '../../../../test/fake/chart.ts'

function placesOf(files: Readonly<Record<string, string>>): readonly string[] {
  const { problems } = renderChart(input(files))
  return problems.map(({ at, message }) => `${at?.file}:${at?.line}:${at?.column} ${message}`)
}

const head = 'apiVersion: cutepod/v1alpha0\nkind: CuteContainer\nmetadata:\n  name: web\nspec:\n'

test('actions inside lines leave lines and columns as they are', () => {
  const text = `${head}  image: {{ "nginx" }}:{{ "1" }} # ü\n  ports:\n    - containerPort: {{ 80 }}\n      hostport: 8080\n`
  assert.deepEqual(placesOf({ 'templates/web.yaml': text }), [
    'templates/web.yaml:9:7 spec.ports[0].hostport: unknown field',
  ])
})

test('a place behind an action on its own line is where it stands', () => {
  const text = `${head}  image: nginx\n  args: ["ä{{ "much longer than it was" }}", 5]\n`
  assert.deepEqual(placesOf({ 'templates/web.yaml': text }), [
    'templates/web.yaml:7:46 spec.args[1]: expected a string, found a number',
  ])
})

test('actions that add or take away lines do not shift what follows', () => {
  const text = `{{- /* gone\nwith its lines */}}\n${head}  image: nginx\n  {{- if true }}\n  args:\n  {{- range list "a" "b" }}\n    - {{ . }}\n  {{- end }}\n  {{- end }}\n  portz: []\n`
  assert.deepEqual(placesOf({ 'templates/web.yaml': text }), [
    'templates/web.yaml:15:3 spec.portz: unknown field',
  ])
})

test('what an action prints leads to the action', () => {
  const text = `${head}  image: nginx\n  ports:\n    - containerPort: {{ "none" }}\n`
  assert.deepEqual(placesOf({ 'templates/web.yaml': text }), [
    'templates/web.yaml:8:22 spec.ports[0].containerPort: expected a number, found a string',
  ])
})

test('an include leads to where it is included, a template to where it is defined', () => {
  const helpers = '{{ define "ports" }}ports:\n    - hostport: 1\n      containerPort: 1{{ end }}'
  const included = `${head}  image: nginx\n  {{ include "ports" . }}\n`
  assert.deepEqual(placesOf({ 'templates/web.yaml': included, 'templates/_h.tpl': helpers }), [
    'templates/web.yaml:7:3 spec.ports[0].hostport: unknown field',
  ])
  const called = `${head}  image: nginx\n  {{ template "ports" . }}\n`
  assert.deepEqual(placesOf({ 'templates/web.yaml': called, 'templates/_h.tpl': helpers }), [
    'templates/_h.tpl:2:7 spec.ports[0].hostport: unknown field',
  ])
})

test('YAML errors and template errors have places of the file too', () => {
  const text = `# {{ "a\\nb: 1" }}\n${head}  image: nginx\n  image: twice\n`
  assert.deepEqual(placesOf({ 'templates/web.yaml': text.replace('a\\nb: 1', 'x') }), [
    'templates/web.yaml:8:3 the key image is there twice',
  ])
  assert.deepEqual(placesOf({ 'templates/web.yaml': `${head}  image: ü{{ .Values.tag }}\n` }), [
    'templates/web.yaml:6:11 .Values.tag is not set',
  ])
})
