package model

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"gatewright/model/access"
	"gatewright/model/field"
)

// Runtime is what executes a handler function: one of AWS Lambda by its identifier, such as
// nodejs24.x, or a language, which stands for one of them.
type Runtime string

// The languages that a handler function can be written in.
const (
	NodeJS Runtime = "nodejs"
	Python Runtime = "python"
	Go     Runtime = "go"
)

// Languages lists every language in the order they are offered.
var Languages = []Runtime{NodeJS, Python, Go}

// Runtimes lists what a definition may name, the newest of a language first
// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html).
var Runtimes = []Runtime{
	"nodejs24.x", "nodejs22.x", "nodejs20.x", "nodejs18.x",
	"python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python3.9",
	"provided.al2023", NodeJS, Python, Go,
}

// Language returns the language of a runtime, also of one that Lambda had or may get; "" if it is of no Language.
// Programs in Go run on those without a language (https://docs.aws.amazon.com/lambda/latest/dg/lambda-golang.html).
func (r Runtime) Language() Runtime {
	switch {
	case strings.HasPrefix(string(r), "nodejs"):
		return NodeJS
	case strings.HasPrefix(string(r), "python"):
		return Python
	case r == Go, strings.HasPrefix(string(r), "go1"), strings.HasPrefix(string(r), "provided"):
		return Go
	}
	return ""
}

// Release returns what a runtime names of its language: 22 of nodejs22.x, 12 of python3.12; 0 for nothing.
func (r Runtime) Release() int {
	first, rest, _ := strings.Cut(strings.TrimPrefix(string(r), string(r.Language())), ".")
	if r.Language() == Python {
		if first != "3" {
			return 0
		}
		first, _, _ = strings.Cut(rest, ".")
	}
	// What is no number is 0.
	n, _ := strconv.Atoi(first)
	return n
}

// Newest returns the newest runtime of a language, which new functions get; any other runtime is its own.
func (r Runtime) Newest() Runtime {
	if !slices.Contains(Languages, r) {
		return r
	}
	return Runtimes[slices.IndexFunc(Runtimes, func(other Runtime) bool { return other.Language() == r })]
}

// InCloud returns the identifier of the runtime that AWS runs. What a language stands for does not
// change with what is newest: Node.js 24 calls no handler with a callback, for one
// (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html). A definition without a runtime is for
// Node.js, as in the sandbox.
func (r Runtime) InCloud() Runtime {
	switch r {
	case NodeJS, "":
		return "nodejs22.x"
	case Python:
		return "python3.13"
	case Go:
		return "provided.al2023"
	}
	return r
}

// Handler returns the entry point that a new function of this runtime gets.
func (r Runtime) Handler() string {
	if r.Language() == Go {
		return "bootstrap"
	}
	return "index.handler"
}

// Architecture is the processor that a function runs on in the cloud
// (https://docs.aws.amazon.com/lambda/latest/dg/foundation-arch.html).
type Architecture string

// The architectures; without one it is X86.
const (
	X86 Architecture = "x86_64"
	ARM Architecture = "arm64"
)

// Architectures lists every Architecture in the order they are offered.
var Architectures = []Architecture{X86, ARM}

// Template is the template that a new function's source is made from.
type Template string

// The templates. Plain is a handler without dependencies.
const (
	Express Template = "express"
	CRUD    Template = "crud"
	Plain   Template = "plain"
	// The same in TypeScript.
	ExpressTypeScript Template = "express-typescript"
	PlainTypeScript   Template = "plain-typescript"
)

// Templates lists every Template in the order they are offered.
var Templates = []Template{Plain, Express, CRUD, ExpressTypeScript, PlainTypeScript}

// InTypeScript returns the template that makes the same in TypeScript; "" if there is none.
func (t Template) InTypeScript() Template {
	if made := t + "-typescript"; slices.Contains(Templates, made) {
		return made
	}
	return ""
}

// CreateReplaces says what create does in a function of the template crud, as in those of the Amplify CLI.
const CreateReplaces = "create may also replace: a POST with the key of an item that exists replaces the item " +
	"(template crud)"

// Title returns the template's name on screen.
func (t Template) Title() string {
	switch t {
	case Express:
		return "Serverless ExpressJS function"
	case ExpressTypeScript:
		return "Serverless ExpressJS function in TypeScript"
	case CRUD:
		return "CRUD function for DynamoDB-style key-value table"
	case Plain:
		return "Plain handler function"
	case PlainTypeScript:
		return "Plain handler function in TypeScript"
	}
	return string(t)
}

// Runs reports whether the template exists for a runtime: Plain for every runtime, the others for Node.js.
func (t Template) Runs(r Runtime) bool { return t == Plain || r.Language() == NodeJS }

// The limits and the defaults of a function's timeout in seconds and memory in megabytes.
const (
	MinTimeout, DefaultTimeout, MaxTimeout = 1, 25, 900
	MinMemory, DefaultMemory, MaxMemory    = 128, 128, 10240
	// MaxLayers is how many layers a function may have.
	MaxLayers = 5
)

// Function is one handler function. A zero Timeout or Memory means the default.
type Function struct {
	// Name is the resource name, which is also the folder's name.
	Name string
	// FunctionName is the name of the deployed function; empty means Name.
	FunctionName string
	Runtime      Runtime
	Architecture Architecture
	Template     Template
	Handler      string
	// Timeout is in seconds, Memory in megabytes.
	Timeout, Memory int
	Environment     []Variable
	// Secrets are names only: values are kept out of a project's files.
	Secrets []string
	// Schedule is a rate or cron expression (see package schedule); empty for none.
	Schedule string
	Layers   []string
	Access   []ResourceAccess
	// Policies are statements of its role next to those that Access makes.
	Policies []Statement
	// Table is the key-value table of a CRUD function.
	Table string
}

// Variable is one environment variable.
type Variable struct{ Name, Value string }

// ResourceAccess lets a function use another resource of the project, such as "table/items".
type ResourceAccess struct {
	Resource string
	Actions  access.Actions
}

// Fields are the fields of function.json.
func (f *Function) Fields() []field.Row {
	return []field.Row{
		{
			Name: "functionName", Flag: "function-name", Noun: "function name", Value: &f.FunctionName,
			Default: f.Name,
		},
		{
			Name: "runtime", Flag: "runtime", Noun: "runtime", Value: (*string)(&f.Runtime), Written: true,
			Words: runtimeWords,
		},
		{
			Name: "architecture", Flag: "architecture", Noun: "architecture", Value: (*string)(&f.Architecture),
			Default: string(X86), Words: architectureWords,
		},
		// Differences leave the template out: it only says what the source was made from.
		{Name: "template", Flag: "template", Value: (*string)(&f.Template), Words: templateWords},
		{Name: "table", Flag: "table", Value: &f.Table},
		{Name: "handler", Flag: "handler", Noun: "handler", Value: &f.Handler, Default: f.Runtime.Handler()},
		{
			Name: "timeout", Flag: "timeout", Noun: "timeout", Value: &f.Timeout,
			Range: field.Range{Min: MinTimeout, Default: DefaultTimeout, Max: MaxTimeout, Unit: "second", Sign: "s"},
		},
		{
			Name: "memory", Flag: "memory", Noun: "memory", Value: &f.Memory,
			Range: field.Range{Min: MinMemory, Default: DefaultMemory, Max: MaxMemory, Unit: "megabyte", Sign: "MB"},
		},
		{Name: "environment", Flag: "env", Noun: "variable", Value: &f.Environment},
		{Name: "secrets", Flag: "secret", Noun: "secret", Value: &f.Secrets},
		{Name: "schedule", Flag: "schedule", Noun: "schedule", Value: &f.Schedule},
		{Name: "layers", Flag: "layer", Noun: "layer", Value: &f.Layers, Ordered: true},
		{Name: "access", Flag: "access", Value: &f.Access},
		{Name: "policies", Flag: "policy", Value: &f.Policies},
	}
}

var (
	runtimeWords, architectureWords = field.Words(Runtimes), field.Words(Architectures)
	templateWords                   = field.Words(Templates)
)

// Fields are the fields of an entry of the access of a function.
func (a *ResourceAccess) Fields() []field.Row {
	return []field.Row{
		{Name: "resource", Value: &a.Resource, Written: true},
		{Name: "actions", Value: &a.Actions, Written: true},
	}
}

// DeployedName returns FunctionName, or Name if that is empty.
func (f *Function) DeployedName() string {
	if f.FunctionName != "" {
		return f.FunctionName
	}
	return f.Name
}

// Statement is a statement of an IAM policy, for the role of a function. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
type Statement struct {
	Sid, Effect string
	Action      Patterns
	// Resource are patterns of ARNs, in which ${table/items}, ${pool}, ${AWS::Region} and others stand
	// for what a deployment has (package rights).
	Resource Patterns
	// Condition is the condition as compact JSON; "" for none.
	Condition JSON
}

// Patterns are texts of which a file has one alone, or a list.
type Patterns []string

// JSON is a value of a file that is kept as it is, in compact form.
type JSON string

// The effects of a statement.
const (
	Allow = "Allow"
	Deny  = "Deny"
)

// Fields are the fields of a statement of a function's policies.
func (s *Statement) Fields() []field.Row {
	return []field.Row{
		{Name: "Sid", Value: &s.Sid},
		{Name: "Effect", Value: &s.Effect, Written: true, Words: []string{Allow, Deny}},
		{Name: "Action", Value: &s.Action, Written: true},
		{Name: "Resource", Value: &s.Resource, Written: true},
		{Name: "Condition", Value: &s.Condition},
	}
}

// Equal reports whether two statements say the same in the same words.
func (s Statement) Equal(other Statement) bool {
	return s.Sid == other.Sid && s.Effect == other.Effect && s.Condition == other.Condition &&
		slices.Equal(s.Action, other.Action) && slices.Equal(s.Resource, other.Resource)
}

// What a function may get access to that is no thing of a project: the users of the pool, a parameter
// of Systems Manager, a secret of Secrets Manager, and mail.
const (
	KindPool      Kind = "pool"
	KindParameter Kind = "parameter"
	KindSecret    Kind = "secret"
	KindMail      Kind = "mail"
)

// ResourceKinds are the kinds of resources that a function may get access to.
var ResourceKinds = []Kind{
	KindTable, KindAPI, KindFunction, KindStorage, KindPool, KindParameter, KindSecret, KindMail,
}

// ResourceOf divides what a function may get access to. actions are what can be done with it; 0 if
// there is no such resource.
func ResourceOf(resource string) (kind Kind, name string, actions access.Actions) {
	of, name, named := strings.Cut(resource, "/")
	switch kind = Kind(of); kind {
	case KindTable, KindAPI, KindFunction, KindStorage:
		actions = access.EveryAction
	case KindParameter, KindSecret:
		actions = access.ActionSet(access.Read)
	case KindPool:
		actions, named = access.EveryAction, !named
	case KindMail:
		actions, named = access.ActionSet(access.Create), !named
	}
	if named == (name == "" && kind != KindPool && kind != KindMail) {
		actions = 0
	}
	return kind, name, actions
}

// Version is the version of a function's file: 2 with rights that a gatewright of the files of
// version 1 would leave out.
func (f *Function) Version() int {
	more := func(a ResourceAccess) bool {
		kind, _, _ := ResourceOf(a.Resource)
		return slices.Index(ResourceKinds, kind) >= slices.Index(ResourceKinds, KindPool)
	}
	if len(f.Policies) > 0 || slices.ContainsFunc(f.Access, more) {
		return 2
	}
	return 1
}

// String returns the statement as people write it: "[deny ]ACTION,... on RESOURCE,...".
func (s Statement) String() string {
	text := strings.Join(s.Action, ",") + " on " + strings.Join(s.Resource, ",")
	if s.Effect == Deny {
		text = "deny " + text
	}
	if s.Condition != "" {
		text += " if " + string(s.Condition)
	}
	return text
}

// Line is the statement as a person gives it in one line: String, or all of it as JSON if that leaves something out.
func (s Statement) Line() string {
	if s.Sid == "" && s.Condition == "" {
		return s.String()
	}
	raw := map[string]any{"Effect": s.Effect, "Action": s.Action, "Resource": s.Resource}
	if s.Sid != "" {
		raw["Sid"] = s.Sid
	}
	if s.Condition != "" {
		raw["Condition"] = json.RawMessage(s.Condition)
	}
	text, _ := json.Marshal(raw)
	return string(text)
}

// CompactJSON is a value of a file without its white space; other text stays as it is.
func CompactJSON(raw []byte) JSON {
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return JSON(raw)
	}
	return JSON(compact.String())
}
