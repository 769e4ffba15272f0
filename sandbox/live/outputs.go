package live

import (
	"context"
	"errors"
	"time"

	"gatewright/deploy/index"
	"gatewright/deploy/outputs"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
)

// Served is an environment as a sandbox serves it from the working tree.
type Served struct {
	// Record has the ids, endpoints and values, as that of a push. Its Stack is empty:
	// nothing was deployed.
	Record project.Record
	// Address is the base address of the sandbox, such as http://127.0.0.1:4280.
	Address string
	// Running says that a sandbox of the project runs at Address. Otherwise one would have
	// that address when it starts.
	Running bool
	// Other is the environment that the running sandbox serves, if it is another one.
	Other string
}

// ServedOf returns the environment that a sandbox of the project serves, with the port of a running sandbox,
// else the project's. name is the wanted environment; "" is the one that runs, else that of EnvironmentOf.
// The error matches index.ErrNoOutputs if there is nothing that a client could reach.
func ServedOf(ctx context.Context, p *project.Project, name string) (Served, error) {
	// A client file has the addresses of APIs also while their definitions are broken.
	if _, err := LeaveOut(p); err != nil {
		return Served{}, err
	}
	here := *p.Backend
	served := Served{}
	client, err := sandbox.Connect(State(p.Root))
	switch {
	case err == nil:
		status, err := client.Status(ctx)
		if err != nil {
			return Served{}, err
		}
		served.Running = true
		if here.Project.SandboxPort, err = portOf(client.Address()); err != nil {
			return Served{}, err
		}
		switch {
		case name == "":
			name = status.Environment
		case status.Environment != "" && status.Environment != name:
			served.Other = status.Environment
		}
	case !errors.Is(err, sandbox.ErrNotRunning):
		return Served{}, err
	}
	env, err := EnvironmentOf(p, name)
	if err != nil {
		return Served{}, err
	}
	served.Address = outputs.AddressAt(here.Project.Port())
	if served.Record, _, err = outputs.RecordOf(&here, env, time.Now()); err != nil {
		return Served{}, err
	}
	served.Record.Stack = ""
	if len(served.Record.APIs) == 0 && served.Record.Values["auth"] == nil {
		return Served{}, &model.Problem{
			Of:   model.Ref{Kind: model.KindEnvironment, Name: env.Name},
			Text: "has no REST API and no user pool that a client could reach",
			Fix:  "add an API", Cause: index.ErrNoOutputs,
		}
	}
	return served, nil
}
