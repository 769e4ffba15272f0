package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"gatewright/sandbox/table"
	"gatewright/sandbox/table/attribute"
)

// tableFile is the file of all tables, below the data folder.
const tableFile = "tables.db"

// openTables opens the tables of a state folder, which this process has.
func openTables(state string) (*table.Store, error) {
	data := filepath.Join(state, dataFolder)
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the tables: %w", err)
	}
	return table.Open(filepath.Join(data, tableFile), table.Options{})
}

// HeldTables are the tables of a state folder, for as long as they are held.
type HeldTables struct {
	Tables
	// Endpoint is where programs reach them; "" until Listen where no sandbox runs.
	Endpoint string
	// served says that a running sandbox makes the tables.
	served bool
	store  *table.Store
	owner  *owner
	server *http.Server
}

// OpenTables gives the tables of another service at an endpoint or, where that is
// "", those of a state folder: through the sandbox that runs, or from the folder
// itself, which no sandbox can have then until Close.
func OpenTables(ctx context.Context, state, endpoint string) (*HeldTables, error) {
	if endpoint != "" {
		return &HeldTables{Tables: RemoteTables(endpoint), Endpoint: endpoint}, nil
	}
	served, err := ServedTables(ctx, state)
	if !errors.Is(err, ErrNotRunning) {
		return served, err
	}
	owner, err := own(state)
	if err != nil {
		return nil, err
	}
	store, err := openTables(state)
	if err != nil {
		return nil, errors.Join(err, owner.release())
	}
	return &HeldTables{Tables: store, store: store, owner: owner}, nil
}

// ServedTables gives the tables of a state folder through the sandbox that runs,
// and takes hold of nothing. The error matches ErrNotRunning where none does.
func ServedTables(ctx context.Context, state string) (*HeldTables, error) {
	client, err := Connect(state)
	if err != nil {
		return nil, err
	}
	status, err := client.Status(ctx)
	if err != nil {
		return nil, err
	}
	return &HeldTables{Tables: RemoteTables(status.TableEndpoint), Endpoint: status.TableEndpoint, served: true}, nil
}

// Served reports whether a running sandbox has the tables.
func (h *HeldTables) Served() bool { return h.served }

// Make makes the tables that are not there. Those of a running sandbox are made
// by it.
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

// Renew deletes a table with all its items, and makes it as its definition has it.
func (h *HeldTables) Renew(ctx context.Context, t Table) error {
	err := Ask(ctx, h, "DeleteTable", map[string]string{"TableName": t.Name}, nil)
	var refused *attribute.Error
	if err != nil && !(errors.As(err, &refused) && refused.Code == "ResourceNotFoundException") {
		return err
	}
	return makeTable(ctx, h, t)
}

// Listen serves the tables on this machine, so that programs reach them at
// Endpoint.
func (h *HeldTables) Listen() error {
	if h.Endpoint != "" {
		return nil
	}
	l, err := listen(0)
	if err != nil {
		return err
	}
	h.Endpoint = "http://" + l.Addr().String()
	h.server = &http.Server{Handler: h.store.Handler(), ReadHeaderTimeout: tableHeadPatience}
	go func() { _ = h.server.Serve(l) }()
	return nil
}

// Close lets go of the tables.
func (h *HeldTables) Close() error {
	if h.store == nil {
		return nil
	}
	var err error
	if h.server != nil {
		err = h.server.Close()
	}
	return errors.Join(err, h.store.Close(), h.owner.release())
}

// tableHeadPatience is how long the head of a request for tables may take.
const tableHeadPatience = 10 * time.Second
