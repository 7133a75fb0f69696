{{- define "pyramid.image" -}}
{{ .Values.image.repository }}{{ with .Values.image.digest }}@{{ . }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "pyramid.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "pyramid.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "pyramid.labels" -}}
{{ include "pyramid.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* What every pod has, as in docker-compose.yml: no rights, nothing to write to but its own folders. */ -}}
{{- define "pyramid.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 999  # `pyramid` of the image
  runAsGroup: 999
  fsGroup: 999
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "pyramid.container" -}}
image: {{ include "pyramid.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "pyramid.settings" -}}
- name: PYRAMID_BEHIND_TLS_PROXY
  value: "yes"
- name: PYRAMID_ALLOWED_HOSTS
  value: {{ .Values.settings.PYRAMID_ALLOWED_HOSTS | default .Values.host | quote }}
{{- range $name, $value := omit .Values.settings "PYRAMID_ALLOWED_HOSTS" "PYRAMID_BEHIND_TLS_PROXY" }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* The solver's machine code: the image has it where nothing may be written, and numba uses none from there. */ -}}
{{- define "pyramid.solver" -}}
initContainers:
  - name: solver
    {{- include "pyramid.container" . | nindent 4 }}
    command: ["cp", "--recursive", "/var/cache/pyramid/.", "/solver"]
    volumeMounts:
      - {name: solver, mountPath: /solver}
{{- end }}

{{- define "pyramid.mounts" -}}
volumeMounts:
  - {name: solver, mountPath: /var/cache/pyramid}
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "pyramid.volumes" -}}
volumes:
  - name: solver
    emptyDir: {sizeLimit: 256Mi}
  - name: tmp
    emptyDir: {sizeLimit: 256Mi}
{{- end }}
