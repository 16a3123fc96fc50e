/** The chart that `tend create` writes: a page of its own on a port, with everything that a first chart needs. */

export function starterFiles(name: string): Readonly<Record<string, string>> {
  return {
    'Chart.yaml': `apiVersion: v2
name: ${name}
description: A page on port 8080
version: 0.1.0
`,
    'values.yaml': `# yaml-language-server: $schema=values.schema.json
# What templates refer to as .Values; change it here, with -f FILE or with --set.
image: docker.io/library/busybox:1.36
port: 8080
greeting: Hello from ${name}
`,
    'values.schema.json': `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "image": { "type": "string", "minLength": 1 },
    "port": { "type": "integer", "minimum": 0, "maximum": 65535 },
    "greeting": { "type": "string" }
  },
  "required": ["image", "port"]
}
`,
    'templates/_helpers.tpl': `{{- /* Labels that every resource of this chart has. */}}
{{- define "labels" -}}
app: {{ .Chart.Name }}
{{- end }}
`,
    'templates/web.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata:
  name: {{ .Release.Name }}
  labels:
    {{- include "labels" . | nindent 4 }}
spec:
  image: {{ .Values.image }}
  command: [/bin/sh, -c]
  args:
    - mkdir -p /www && echo "$GREETING" > /www/index.html && exec httpd -f -p 8000 -h /www
  env:
    - name: GREETING
      value: {{ .Values.greeting | quote }}
  ports:
    - containerPort: 8000
      hostPort: {{ .Values.port }}
  health:
    type: exec
    command: [wget, -q, -O, /dev/null, "http://127.0.0.1:8000/"]
    intervalSeconds: 5
  restartPolicy: always
`,
    'templates/NOTES.txt': `{{ .Values.greeting }}
{{- if .Values.port }}

  curl http://127.0.0.1:{{ .Values.port }}/
{{- end }}
`,
    '.helmignore': `.git/
*.swp
*.bak
`,
  }
}
