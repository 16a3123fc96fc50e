{{- define "hello.health" -}}
health:
  type: http
  httpGet:
    path: {{ .path }}
    port: {{ .port }}
  intervalSeconds: 5
  timeoutSeconds: 3
  retries: 5
{{- end }}
