package facility

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/registry"
)

// expressApp is an app of the usual kind, which also listens on a port. Several workers run
// it on this machine, and must not fail because the port is taken.
const expressApp = `const express = require("express");
const app = express();
app.use(express.json());
app.all("/*", (req, res) => {
  res.status(req.method === "POST" ? 201 : 200).set("X-Shim", "SHIM").cookie("a", "1").cookie("b", "2");
  res.json({ method: req.method, url: req.originalUrl, limit: req.query.limit, body: req.body, agent: req.get("user-agent") });
});
app.listen(3000, () => console.log("App started"));
module.exports = app;
`

// TestAppsOfThePublicShimsRunUnmodified runs Express apps with two public adapters between
// Lambda and Express: serverless-http and aws-serverless-express.
func TestAppsOfThePublicShimsRunUnmodified(t *testing.T) {
	registry.Public(t)
	shims := map[string]struct{ index, dependencies string }{
		"serverlesshttp": {
			"module.exports.handler = require('serverless-http')(require('./app'));\n",
			`{"express": "4.21.2", "serverless-http": "4.0.0"}`,
		},
		"awsserverlessexpress": {
			"const shim = require('aws-serverless-express');\nconst server = shim.createServer(require('./app'));\n" +
				"exports.handler = (event, context) => shim.proxy(server, event, context, 'PROMISE').promise;\n",
			`{"express": "4.21.2", "aws-serverless-express": "3.4.0"}`,
		},
	}
	f := newFacility(t)
	first := true
	for name, shim := range shims {
		f.run(0, "add", "function", name, "--template", "plain")
		if first {
			f.run(0, "add", "api", "shop", "--path", "/"+name, "--function", name)
		} else {
			f.run(0, "add", "path", "shop", "/"+name, "--function", name)
		}
		first = false
		source := filepath.Join(f.dir, "backend", "function", name, "src")
		for file, text := range map[string]string{
			"index.js": shim.index, "app.js": strings.ReplaceAll(expressApp, "SHIM", name),
			"package.json": `{"name": "` + name + `", "version": "1.0.0", "dependencies": ` + shim.dependencies + `}`,
		} {
			if err := os.WriteFile(filepath.Join(source, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.serve()
	for name := range shims {
		status, body, header := f.request("POST", "/"+name+"/1?limit=3", `{"name":"book"}`)
		if status != http.StatusCreated && strings.Contains(f.output(), "no package registry is reachable") {
			depth.Lacks(t, "npm's registry", f.output())
		}
		var answer struct {
			Method, URL, Limit string
			Body               map[string]string
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusCreated {
			t.Errorf("%s answers %d %s:\n%s", name, status, body, f.output())
			continue
		}
		if answer.Method != "POST" || answer.URL != "/"+name+"/1?limit=3" || answer.Limit != "3" || answer.Body["name"] != "book" {
			t.Errorf("%s sees %+v", name, answer)
		}
		if header.Get("X-Shim") != name || len(header.Values("Set-Cookie")) != 2 {
			t.Errorf("%s answers with the headers %v", name, header)
		}
	}
}
