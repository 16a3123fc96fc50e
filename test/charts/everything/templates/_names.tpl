{{- define "everything.labels" -}}
app: {{ .Chart.Name }}
tier: "1"
{{- end }}
