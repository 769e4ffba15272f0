package model

import (
	"slices"
	"strconv"
	"strings"
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

// Language returns the language of a runtime, also of one that Lambda had or may get; "" if it is
// of no Language. Programs in Go run on those without a language
// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-golang.html).
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

// Newest returns the newest runtime of a language, which new functions get; any other runtime is
// its own.
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
