package command

import (
	"strings"
)

// Fact is a line of the help and of the manual page of the whole program: a name and what it
// means.
type Fact struct{ Name, Means string }

// ExitCodes says what the exit codes mean.
var ExitCodes = []Fact{
	{"0", "done"},
	{"1", "failed, also if a definition would be invalid; validate: not valid; can: no; test: a test does not hold; " +
		"call --all: a response differs from the expected one"},
	{"2", "wrong usage: an unknown command or flag, or a value that the flag cannot take"},
	{"3", "differs or stale: prove, and generate outputs, openapi and client with --check; status and env diff with " +
		"--exit-code; review with --fail-on; can --live: AWS does not decide as the last push says"},
	{"4, 5", "call: the status of the response is 4xx or 5xx"},
	{"130", "interrupted with ctrl+c"},
}

// Variables are the environment variables that the program reads, except those of build
// servers, which deploy/buildserver/system.go has.
var Variables = []Fact{
	{
		"GATEWRIGHT_STATE",
		"the folder of this user's state: what is deployed on this machine, drafts, progress in the course",
	},
	{"GATEWRIGHT_CACHE", "the folder of installed packages, shared by all projects; you may remove it"},
	{
		"XDG_STATE_HOME, XDG_CACHE_HOME",
		"without those two: the parent folders of gatewright/, with state and packages",
	},
	{"GATEWRIGHT_BRANCH", "the branch that is built, for pipeline-deploy and generate outputs; by default the build " +
		"server's"},
	{"GATEWRIGHT_APP_ID, AWS_APP_ID", "the application ID of the deployment, for generate outputs and pipeline-deploy"},
	{"GATEWRIGHT_PASSWORD", "the password of the user who calls an API in AWS, with call --as"},
	{"CI", "true on a build server; false turns off the detection of build servers"},
	{"ACCESSIBLE", "plain lines instead of screens, if it is set and neither 0 nor false"},
	{"GATEWRIGHT_ASCII", "screens without line characters, if it is set"},
	{"NO_COLOR", "no colours, if it is set"},
	{"NO_MOTION", "no motion on the screens, as with --no-motion"},
	{"TERM", "the kind of terminal; dumb means no screens and no colours"},
	{"TZ", "the time zone of the times that are shown"},
	{"VISUAL, EDITOR", "the editor that ctrl+e opens"},
	{"AWS_PROFILE, AWS_REGION, AWS_ACCESS_KEY_ID and others", "credentials for AWS, as the AWS CLI reads them"},
	{"AWS_ENDPOINT_URL", "an endpoint instead of AWS, for all services or with a suffix (_S3) for one"},
	{"HTTP_PROXY, HTTPS_PROXY, NO_PROXY", "the proxy to the cloud and to package registries"},
}

// writeFacts writes a heading and facts below it, as help writes its lists.
func writeFacts(b *strings.Builder, title string, facts []Fact, width int) {
	if len(facts) == 0 {
		return
	}
	b.WriteString("\n" + title + ":\n")
	var rows [][]string
	for _, fact := range facts {
		rows = append(rows, []string{fact.Name, fact.Means})
	}
	WriteColumns(b, "  ", width, rows)
}
