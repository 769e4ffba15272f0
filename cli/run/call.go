package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/screen"
	"gatewright/cli/users"
	"gatewright/flow/request"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
)

// callCommand is one run of `call`.
type callCommand struct {
	streams                      command.Streams
	env                          command.EnvironmentFlag
	api, data, as, method        string
	queries, headers             []string
	test, include, json, hasData bool
	signed, passwordStdin        bool
	guard                        command.GuardFlag
	screens                      screen.Flags
	saved                        savedFlags
	// keep adds an answer to the history.
	keep func(a call.Answer, at time.Time)
}

// recorder returns what adds a request and its answer to the history. That is a convenience, so a
// folder that cannot be written is no error. b is what the environment serves.
func recorder(root string, b *model.Backend, environment, label string, r call.Request) func(call.Answer, time.Time) {
	form := request.FormOf(b.Router(label), environment, label, r)
	return func(a call.Answer, at time.Time) {
		_ = request.Record(root, request.Exchange{Form: form, Answer: a, At: at})
	}
}

// NewCall makes the command call.
func NewCall(streams command.Streams) *cobra.Command {
	x := callCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "call [METHOD PATH]",
		Short: "Send a request to an API, local or in AWS",
		Long: `Send a request to an API of the running sandbox, or of an environment in AWS, and print the body
of the response. --as says who sends it. Without METHOD and PATH, in a terminal, it opens the test console. The exit
code is 4 for a status of 4xx, and 5 for 5xx.

The status line, with -i the headers, and the reason why the gateway refused a request go to standard error. Without
--api the request goes to the API that has the path. With --data the Content-Type is application/json unless a
header sets another.

Without --as the request is not signed. --as WHO signs it with credentials of the identity pool, as client libraries
do. ` + command.WhoHelp + `

In AWS, WHO is guest, a user, or me for your own AWS credentials, which guests and users do not need. A user signs
in: the command asks for the password, or reads it from ` + passwordVariable + ` or, with --password-stdin, from
standard input. The password is not sent, and nothing of the sign-in is kept. For anything but GET, a guarded
environment asks for its name, or takes it as --confirm NAME.

--test tests the function as the API Gateway console does: with the console's event, without access checks, and with
the log of the execution.

The test console is a form for the request; it shows the response with the function's log. With --accessible the
console asks line by line. All requests are in the history of the console, without what may be a secret.

--saved NAME sends a saved request, which is a file of the project, and compares the response with the
expected one in the file; --all sends all of them. The console saves requests with ctrl+s. ${NAME} in a saved request
is a variable of this process. --update saves the new responses. The exit code is 1 if a response is not as expected.
DELETE requests are sent only with --deletes.`,
		Example: command.Examples("call GET /books --as group:Editors",
			`call POST /books --data '{"title": "Emma"}' -i`, "call --all",
			"call PUT /books --data @book.json --header 'X-Trace: 1' --env qa",
			"call DELETE /books/978-0 --as emma", "call GET /books --query limit=10 --test",
			"call POST /books --env prod --as emma --data @book.json --confirm prod", "call --saved one-book"),
		Args: x.arguments,
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return command.CompleteTarget(streams, x.api, args, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if x.saved.wanted(cmd) {
				return x.runSaved()
			}
			if len(args) == 0 {
				return x.open()
			}
			x.hasData = cmd.Flags().Changed("data")
			x.signed = cmd.Flags().Changed("as")
			return x.run(strings.ToUpper(args[0]), args[1])
		},
	}
	flags := cmd.Flags()
	x.env.Add(cmd, streams, "the environment (default: the chosen one)")
	flags.StringVar(&x.api, "api", "", "the `LABEL` of the API (default: the one that has the path)")
	flags.StringArrayVar(&x.queries, "query", nil, "a query parameter, as `NAME=VALUE`; can be repeated")
	flags.StringArrayVarP(&x.headers, "header", "H", nil, "a header, as `NAME:VALUE`; can be repeated")
	flags.StringVarP(&x.data, "data", "d", "", "the body: a `TEXT`, @FILE, or - for standard input")
	flags.StringVar(&x.as, "as", "", "send it as `WHO`: guest, authenticated, group:NAME or a user; in AWS also me")
	command.AddPasswordStdin(cmd, &x.passwordStdin)
	x.guard.Add(cmd, streams)
	flags.BoolVar(&x.test, "test", false, "test it as the API Gateway console does")
	flags.BoolVarP(&x.include, "include", "i", false, "show the headers of the response")
	flags.BoolVar(&x.json, "json", false, "report as JSON")
	x.saved.add(cmd, streams)
	x.screens.Add(cmd, streams)
	_ = cmd.RegisterFlagCompletionFunc("api", command.CompleteValue(streams, model.KindAPI))
	who := users.CompleteWho(streams, &x.env)
	_ = cmd.RegisterFlagCompletionFunc("as",
		func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			words, directive := who(cmd, args, typed)
			if strings.HasPrefix(ownWord, typed) && inAWS(streams, x.env.String()) {
				words = append(words, ownWord)
			}
			return words, directive
		})
	for _, name := range []string{"query", "header", "data"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

// exitOf returns the exit code of an answer as an error: 4 for 4xx, 5 for 5xx, else nil.
func exitOf(status int) error {
	if status >= http.StatusBadRequest {
		return command.Exit(status / 100)
	}
	return nil
}

var errNoPassword = command.Misuse("--password-stdin is for a user of an environment in AWS; the " +
	"sandbox needs no password, so leave it out")

func (x *callCommand) run(method, path string) error {
	x.method = method
	r, err := x.parse(method, path)
	if err == nil && x.signed {
		err = x.checkAs()
	}
	if err != nil {
		return err
	}
	return command.WithServedBefore(x.streams, func(p *project.Project, broken error) error {
		e, err := x.environment(p, broken)
		if err != nil {
			return err
		}
		away, err := x.findCloud(p, e)
		switch {
		case broken != nil && (err != nil || away != nil):
			return broken
		case err != nil:
			return err
		case away != nil:
			return x.runCloud(p, away, r)
		}
		if x.passwordStdin {
			return errNoPassword
		}
		client, err := connect(x.streams)
		if err != nil {
			return err
		}
		// What was changed a moment ago is served, or it is said why not.
		if err := client.Refresh(context.Background()); err != nil {
			command.Say(x.streams.Err, "warning: %s", err)
		}
		status, err := client.Status(context.Background())
		if err != nil {
			return err
		}
		api, err := x.find(p, status, e, method, r.Path)
		if err != nil {
			return err
		}
		r.Test = x.test
		x.keep = recorder(p.Root, p.Backend, e.Name, api.Label, r)
		send := func() (call.Answer, error) { return call.Send(context.Background(), client, api, r) }
		if !x.signed {
			return x.send(send)
		}
		who, signer, err := x.signer(p.Backend)
		if err != nil {
			return cmp.Or(broken, err)
		}
		r.As = signer
		err = x.send(send)
		if refused := (*call.CredentialsError)(nil); errors.As(err, &refused) && broken == nil {
			return x.explainAs(p, e, who, refused.Cause)
		}
		return err
	})
}

// environment returns the environment of a request. While its file is broken, it is that of the running sandbox,
// unless it was pushed: to AWS, perhaps, which then would get the request.
func (x *callCommand) environment(p *project.Project, broken error) (*model.Environment, error) {
	if broken == nil {
		return command.EnvironmentOf(p, x.env.String())
	}
	tree := servedTree(p)
	name := cmp.Or(x.env.String(), p.Chosen(), tree)
	if e := p.Backend.Environment(name); e != nil {
		return e, nil
	}
	if _, never := p.Deployed(name); name != tree || !errors.Is(never, project.ErrNeverDeployed) {
		return nil, broken
	}
	return &model.Environment{Name: name}, nil
}

// parse makes the request from the command line.
func (x *callCommand) parse(method, path string) (call.Request, error) {
	none := call.Request{}
	target, query, err := command.Target(method, path)
	if err != nil {
		return none, err
	}
	r := call.Request{Method: method, Path: target, Query: query, Headers: http.Header{}}
	for _, text := range x.queries {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return none, command.Misuse("--query takes NAME=VALUE, not %s", phrase.Quote(text))
		}
		if r.Query != "" {
			r.Query += "&"
		}
		r.Query += url.QueryEscape(name) + "=" + url.QueryEscape(value)
	}
	for _, text := range x.headers {
		name, value, ok := call.Header(text)
		if !ok {
			return none, command.Misuse("--header takes NAME:VALUE, not %s", phrase.Quote(text))
		}
		r.Headers[name] = append(r.Headers[name], value)
	}
	if !x.hasData {
		return r, nil
	}
	if x.data == "-" && x.passwordStdin {
		return none,
			command.Misuse("standard input is either the body or the password: leave out --data - or "+
				"--password-stdin, or set %s", passwordVariable)
	}
	if r.Body, err = x.body(); err != nil {
		return none, err
	}
	if !call.HasHeader(r.Headers, "Content-Type") {
		r.Headers["Content-Type"] = []string{"application/json"}
	}
	return r, nil
}

// body reads the body that --data gives.
func (x *callCommand) body() ([]byte, error) {
	shown, data, err := command.ReadArgument(x.data, x.streams)
	if err == nil && shown != "" && len(data) > read.MaxFile {
		return nil, &read.Problem{
			File: shown, Text: fmt.Sprintf("has more than %d bytes", read.MaxFile),
			Fix: "give a smaller body",
		}
	}
	return data, err
}

// find returns the API of an environment that a request goes to.
func (x *callCommand) find(
	p *project.Project, status sandbox.Status, e *model.Environment, method, path string,
) (sandbox.ServedAPI, error) {
	served := make(map[string]sandbox.ServedAPI)
	var labels []string
	for _, api := range status.APIs {
		if api.Environment == e.Name {
			served[api.Label], labels = api, append(labels, api.Label)
		}
	}
	in := "environment " + phrase.Quote(e.Name)
	switch {
	case len(labels) > 0:
	case e.Provider == model.Local:
		return sandbox.ServedAPI{},
			fmt.Errorf("the sandbox at %s serves no API of %s; push it with: gatewright push --env %s", status.Address, in,
				phrase.Quote(e.Name))
	default:
		return sandbox.ServedAPI{},
			fmt.Errorf("the sandbox at %s serves no API of %s: its provider is %s", status.Address, in,
				phrase.Quote(string(e.Provider)))
	}
	label, err := x.choose(p.Backend, labels, in, method, path)
	return served[label], err
}

// choose returns the label of the API that a request goes to: the one that --api names, else the
// only one, else the only one with a path for the request.
func (x *callCommand) choose(b *model.Backend, labels []string, in, method, path string) (string, error) {
	var matching, reserved []string
	for _, label := range labels {
		if router := b.Router(label); router != nil {
			switch route, found := router.Match(method, path); {
			case found && route.Path.Name == access.ProxyPath:
				reserved = append(reserved, label)
			case found:
				matching = append(matching, label)
			}
		}
	}
	if len(matching) == 0 {
		// The reserved path matches everything, so other paths go first.
		matching = reserved
	}
	switch {
	case slices.Contains(labels, x.api):
		return x.api, nil
	case x.api != "":
		return "", command.Misuse("%s has no API %s; there is %s", in, phrase.Quote(x.api), phrase.QuoteList(labels))
	case len(labels) == 1:
		return labels[0], nil
	case len(matching) == 1:
		return matching[0], nil
	case len(matching) > 1:
		return "", command.Misuse("several APIs of %s have the path %s: %s; give --api LABEL", in, phrase.Quote(path),
			phrase.QuoteList(matching))
	}
	return "", command.Misuse("no API of %s has the path %s; choose one with --api LABEL: %s", in, phrase.Quote(path),
		phrase.QuoteList(labels))
}
