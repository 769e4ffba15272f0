package sandbox

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"gatewright/sandbox/cloud"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// Cloud is the sandbox's stand-in for the cloud's services towards functions
// (sandbox/cloud).
type Cloud struct {
	server *cloud.Server
	// served is what the last Apply gave.
	served atomic.Pointer[cloudConfig]
	logs   *logs.Store
	notify func(Event)

	// used is told of uses, see cloud.Options.
	used atomic.Pointer[func(u function.Told, status int, answer []byte)]

	mu   sync.Mutex
	said map[Event]bool
}

type cloudConfig struct {
	// callers are the functions by the access key ids of their credentials.
	callers map[string]caller
	// values are the values of parameters and secrets, and files where they are, by
	// environment.
	values map[string]map[string]string
	files  map[string]string
}

// ServeCloud starts a Cloud that passes on requests for tables to the address of these, and requests for user
// pools and functions to the address of a sandbox; "" where there is none. The caller closes it.
func ServeCloud(tables, sandbox string, store *logs.Store, notify func(Event)) (*Cloud, error) {
	c := &Cloud{logs: store, notify: notify, said: make(map[Event]bool)}
	c.served.Store(&cloudConfig{})
	server, err := cloud.Start(cloud.Options{
		Tables: tables, Pools: sandbox, Functions: sandbox,
		Caller: func(key string) (cloud.Caller, bool) {
			found, known := c.served.Load().callers[key]
			return cloud.Caller{
				Environment: found.Environment, Function: found.Name, Region: found.Region, Account: found.Account,
			}, known
		},
		Values:  func(environment string) map[string]string { return c.served.Load().values[environment] },
		Refused: c.refused, Missing: c.missing, May: c.may,
		Failed: func(caller cloud.Caller, text string) { c.say(caller, eachTime, text) },
		Used: func(u function.Told, status int, answer []byte) {
			if used := c.used.Load(); used != nil {
				(*used)(u, status, answer)
			}
		},
	})
	if err != nil {
		return nil, fmt.Errorf("serving the services of functions: %w", err)
	}
	c.server = server
	return c, nil
}

// Address is its address.
func (c *Cloud) Address() string { return c.server.Address() }

// Close ends it.
func (c *Cloud) Close() error { return c.server.Close() }

// Apply replaces the functions that are known to it, and the values of their parameters
// and secrets.
func (c *Cloud) Apply(environments []Environment) {
	config := &cloudConfig{
		callers: callersOf(environments), values: make(map[string]map[string]string), files: make(map[string]string),
	}
	for _, env := range environments {
		config.values[env.Name], config.files[env.Name] = env.Values, env.ValuesFile
	}
	c.served.Store(config)
}

// may decides whether a function may take an action on what has an ARN. It returns the refusal, in which
// the resource is shown as it was asked for, or "".
func (c *Cloud) may(by cloud.Caller, action, arn, shown string) string {
	known, ok := c.served.Load().callers[AccessKey(by.Environment, by.Function)]
	if !ok {
		return ""
	}
	what := "the function may not read " + oneLine(shown)
	return known.may(action, arn, shown, what, func(_ caller, once bool, text string) { c.say(by, once, text) })
}

// refused tells about a request to a service that does not run here: each time in the
// function's log, once as an event.
func (c *Cloud) refused(caller cloud.Caller, q cloud.Request) {
	c.say(caller, eachTime, "refused: "+q.Text())
}

// missing tells how to give the value of a parameter or secret.
func (c *Cloud) missing(caller cloud.Caller, service, name string) {
	file := c.served.Load().files[caller.Environment]
	if file == "" {
		file = "the file of secrets in .gatewright/secrets"
	}
	what := "the parameter "
	if service == "secretsmanager" {
		what = "the secret "
	}
	c.say(caller, eachTime,
		fmt.Sprintf("%s%s has no value on this machine; write it into %s as {%q: \"value\"}", what, oneLine(name), file,
			cloud.GivenName(caller.Function, name)))
}

// How often the log of a function gets a line.
const (
	eachTime = false
	onlyOnce = true
)

// say tells something about a function: once as an event, and in its log.
func (c *Cloud) say(caller cloud.Caller, once bool, text string) {
	event := Event{Kind: EventCloud, Environment: caller.Environment, Function: caller.Function, Text: text}
	if caller.Function == "" {
		c.logs.Append(logs.Line{Function: logs.Gateway, Level: logs.Warn, Text: "a program: " + text})
		return
	}
	c.mu.Lock()
	again := c.said[event]
	c.said[event] = true
	c.mu.Unlock()
	if !again || !once {
		c.logs.Append(logs.Line{Environment: caller.Environment, Function: caller.Function, Level: logs.Warn, Text: text})
	}
	if !again {
		c.notify(event)
	}
}

// oneLine makes a name that a function sent safe for a message. It is not shortened: the
// message is copied from.
func oneLine(name string) string {
	const longest = 512
	if quoted := strconv.QuoteToASCII(name[:min(len(name), longest)]); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}
