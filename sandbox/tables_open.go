package sandbox

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"time"

	"gatewright/sandbox/cloud"
	"gatewright/sandbox/function"
	"gatewright/sandbox/pages"
	"gatewright/sandbox/state"
	"gatewright/sandbox/table"
)

// openTables opens the tables of a state folder that this process owns. damaged is called
// once with damage that is met later.
func openTables(folder string, damaged func(error)) (*table.Store, error) {
	data, err := state.MakeData(folder)
	if err != nil {
		return nil, err
	}
	return table.Open(filepath.Join(data, state.TableFile),
		table.Options{Damaged: func(d *pages.DamageError) { damaged(d) }})
}

// HeldTables are tables that are open until Close.
type HeldTables struct {
	Tables
	// Endpoint is the tables' endpoint; without a sandbox it is "" before Listen.
	Endpoint string
	// served is set if a running sandbox has the tables.
	served bool
	store  *table.Store
	owner  *state.Owner
	server *http.Server
	// cloud knows what functions may do with the tables; nil lets everybody do everything.
	cloud *Cloud
}

// OpenTables opens the tables of another service at an endpoint or, if that is "", of a
// state folder. If no sandbox runs there, it owns the folder until Close.
func OpenTables(ctx context.Context, folder, endpoint string) (*HeldTables, error) {
	if endpoint != "" {
		return &HeldTables{Tables: RemoteTables(endpoint), Endpoint: endpoint}, nil
	}
	client, err := Connect(folder)
	if err == nil {
		// A table that was added a moment ago is there then. What keeps it away is told where the sandbox runs.
		_ = client.Refresh(ctx)
		var served *HeldTables
		if served, err = client.tables(ctx); err == nil {
			return served, nil
		}
	}
	if !errors.Is(err, ErrNotRunning) {
		return nil, err
	}
	owner, err := state.Own(folder)
	if err != nil {
		return nil, err
	}
	// Whoever holds the tables gets damage as the error of each operation.
	store, err := openTables(folder, func(error) {})
	if err != nil {
		return nil, errors.Join(err, owner.Release())
	}
	return &HeldTables{Tables: store, store: store, owner: owner}, nil
}

// ServedTables opens the tables of the sandbox that runs in a state folder. The error
// matches ErrNotRunning if none runs.
func ServedTables(ctx context.Context, state string) (*HeldTables, error) {
	client, err := Connect(state)
	if err != nil {
		return nil, err
	}
	return client.tables(ctx)
}

// tables are those that the sandbox serves.
func (c *Client) tables(ctx context.Context) (*HeldTables, error) {
	status, err := c.Status(ctx)
	if err != nil {
		return nil, err
	}
	return &HeldTables{Tables: RemoteTables(status.TableEndpoint), Endpoint: status.TableEndpoint, served: true}, nil
}

// Served reports whether a running sandbox has the tables.
func (h *HeldTables) Served() bool { return h.served }

// Make creates missing tables and updates indexes. A running sandbox does so itself.
func (h *HeldTables) Make(ctx context.Context, tables []Table) error {
	if h.served {
		return nil
	}
	for _, t := range tables {
		if err := makeTable(ctx, h, t); err != nil {
			return err
		}
	}
	return nil
}

// Renew replaces a table by an empty one with its present definition.
func (h *HeldTables) Renew(ctx context.Context, t Table) error {
	// Who asks for it means it. A table that is not there is no error, and deleting tells any other.
	_ = Ask(ctx, h, "UpdateTable", map[string]any{"TableName": t.Name, "DeletionProtectionEnabled": false}, nil)
	err := Ask(ctx, h, "DeleteTable", map[string]string{"TableName": t.Name}, nil)
	if err != nil && !NoTable(err) {
		return err
	}
	return makeTable(ctx, h, t)
}

// Listen serves the tables at Endpoint for other programs of this machine.
func (h *HeldTables) Listen() error {
	if h.Endpoint != "" {
		return nil
	}
	l, err := listen(0)
	if err != nil {
		return err
	}
	h.Endpoint = "http://" + l.Addr().String()
	const headTimeout = 10 * time.Second
	guard := &tableGuard{
		caller: func(key string) (caller, bool) {
			if h.cloud == nil {
				return caller{}, false
			}
			found, known := h.cloud.served.Load().callers[key]
			return found, known
		},
		tables: h.store.Handler(),
		tell: func(c caller, once bool, text string) {
			h.cloud.say(cloud.Caller{Environment: c.Environment, Function: c.Name}, once, text)
		},
		used: func(function.Told, int, []byte) {},
	}
	h.server = &http.Server{Handler: guard, ReadHeaderTimeout: headTimeout}
	go func() { _ = h.server.Serve(l) }()
	return nil
}

// Obey has functions do with the tables what a Cloud knows that they may, where their environment is. It
// comes before the first request.
func (h *HeldTables) Obey(c *Cloud, environments []Environment) {
	h.cloud = c
	if h.store != nil {
		situate(h.store, environments)
	}
}

// Close closes the tables. A second call does nothing.
func (h *HeldTables) Close() error {
	if h.store == nil {
		return nil
	}
	var err error
	if h.server != nil {
		err = h.server.Close()
	}
	err = errors.Join(err, h.store.Close(), h.owner.Release())
	h.store = nil
	return err
}
