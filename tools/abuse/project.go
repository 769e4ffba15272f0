//go:build linux

package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gatewright/tools/measure"
)

// project is the project that the sandbox serves.
type project struct {
	*measure.Project
	functions []*function
}

// function is a handler function with a path of the same name.
type function struct {
	name    string
	express bool
	// file is the source file with the version; source is its text with versionMark.
	file, source string
	history      history
}

// timeout is the time limit of every function in seconds: long enough for ordinary calls
// on a busy machine.
const timeout = "2"

// versionMark stands for the version in a source.
const versionMark = "VERSION"

// restricted is the path that is not open.
const restricted = "/own"

//go:embed handler.cjs
var handler []byte

// plainSources are handlers without a framework in the three usual styles, and in TypeScript.
var plainSources = []struct{ name, kind, template, file, text string }{
	{"common", "commonjs", "plain", "index.js", `"use strict";
const version = VERSION;
const { answer } = require("./handler.cjs");
exports.handler = async (event, context) => answer(event, context, version);
`},
	{"module", "module", "plain", "index.js", `import { answer } from "./handler.cjs";
const version = VERSION;
export const handler = (event, context) => answer(event, context, version);
`},
	{"callback", "commonjs", "plain", "index.js", `"use strict";
const version = VERSION;
const { answer } = require("./handler.cjs");
exports.handler = (event, context, callback) => {
  context.callbackWaitsForEmptyEventLoop = false;
  answer(event, context, version).then((result) => callback(null, result), callback);
};
`},
	{"typed", "commonjs", "plain-typescript", "index.ts", `import { answer } from "./handler.cjs";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
const version: number = VERSION;
export const handler = async (event: APIGatewayProxyEvent, context: Context) => answer(event, context, version);
`},
}

// expressApp is a line of the Express template; expressAbuse replaces it.
const (
	expressApp   = "const app = express();\n"
	expressAbuse = expressApp + "const version = VERSION;\napp.use(require(\"./handler.cjs\").middleware(version));\n"
)

// newProject builds the program and makes a project in a folder.
func newProject(ctx context.Context, work string) (*project, error) {
	made, err := measure.New(ctx, work)
	if err != nil {
		return nil, err
	}
	p := &project{Project: made}
	if err := p.Gatewright(ctx, []string{"init", "--name", "abuse", "--app-id", "abuse"}, []string{
		"add", "api", "abuse", "--path", restricted, "--function", "common", "--new-function", "plain", "--auth", "read",
	}); err != nil {
		return nil, err
	}
	for _, s := range plainSources {
		if err := p.add(ctx, s.name, s.template); err != nil {
			return nil, err
		}
		pack := fmt.Sprintf(`{"name": %q, "private": true, "type": %q}`, s.name, s.kind)
		if err := os.WriteFile(p.source(s.name, "package.json"), []byte(pack), 0o600); err != nil {
			return nil, err
		}
		p.functions = append(p.functions, &function{name: s.name, file: p.source(s.name, s.file), source: s.text})
	}
	if err := p.addExpress(ctx); err != nil {
		return nil, err
	}
	for _, f := range p.functions {
		if err := f.edit(1, whole); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// addExpress adds a function of the Express template, with its packages.
func (p *project) addExpress(ctx context.Context) error {
	const name = "express"
	if err := p.add(ctx, name, name); err != nil {
		return err
	}
	file := p.source(name, "app.js")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), expressApp) {
		return fmt.Errorf("the Express template lacks %q; update expressApp", expressApp)
	}
	source := strings.Replace(string(text), expressApp, expressAbuse, 1)
	p.functions = append(p.functions, &function{name: name, express: true, file: file, source: source})
	_, err = p.Run(ctx, filepath.Dir(file), "npm", "install", "--no-audit", "--no-fund")
	return err
}

// add adds a function with an open path of the same name.
func (p *project) add(ctx context.Context, name, template string) error {
	if err := p.Gatewright(ctx,
		[]string{"add", "path", "abuse", "/" + name, "--function", name, "--new-function", template, "--open"},
		[]string{"update", "function", name, "--timeout", timeout}); err != nil {
		return err
	}
	return os.WriteFile(p.source(name, "handler.cjs"), handler, 0o600)
}

// source is the path of a source file of a function.
func (p *project) source(function, name string) string {
	return filepath.Join(p.Folder, "backend", "function", function, "src", name)
}
