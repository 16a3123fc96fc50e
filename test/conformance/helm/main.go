// Answers cases of charts as Helm does: reads cases, writes them with what Helm's own packages rendered.
//
//	go run . cases.json > answered.json
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/cli/values"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/getter"
)

type testCase struct {
	Name    string            `json:"name"`
	Files   map[string]string `json:"files"`
	Values  []string          `json:"values,omitempty"`
	Set     []string          `json:"set,omitempty"`
	Upgrade bool              `json:"upgrade,omitempty"`
	Expect  map[string]string `json:"expect,omitempty"`
	Error   string            `json:"error,omitempty"`
}

func main() {
	log.SetOutput(io.Discard)
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var cases []testCase
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	for i := range cases {
		answer(&cases[i])
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	if err := out.Encode(cases); err != nil {
		panic(err)
	}
}

func answer(c *testCase) {
	c.Expect, c.Error = nil, ""
	var files []*loader.BufferedFile
	for name, data := range c.Files {
		files = append(files, &loader.BufferedFile{Name: name, Data: []byte(data)})
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	chart, err := loader.LoadFiles(files)
	if err != nil {
		c.Error = err.Error()
		return
	}
	options := values.Options{Values: c.Set}
	for _, given := range c.Values {
		file, err := os.CreateTemp("", "values")
		if err != nil {
			panic(err)
		}
		file.WriteString(given)
		file.Close()
		defer os.Remove(file.Name())
		options.ValueFiles = append(options.ValueFiles, file.Name())
	}
	given, err := options.MergeValues(getter.Providers{})
	if err != nil {
		c.Error = err.Error()
		return
	}
	if err := chartutil.ProcessDependenciesWithMerge(chart, given); err != nil {
		c.Error = err.Error()
		return
	}
	release := chartutil.ReleaseOptions{Name: chart.Name(), Namespace: "", Revision: 1, IsInstall: !c.Upgrade, IsUpgrade: c.Upgrade}
	if c.Upgrade {
		release.Revision = 7
	}
	top, err := chartutil.ToRenderValues(chart, given, release, nil)
	if err != nil {
		c.Error = err.Error()
		return
	}
	rendered, err := engine.Render(chart, top)
	if err != nil {
		c.Error = err.Error()
		return
	}
	c.Expect = map[string]string{}
	for name, text := range rendered {
		if strings.HasSuffix(name, ".tpl") {
			continue
		}
		c.Expect[name] = text
	}
}
