package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/spf13/afero"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// Errors of reading a deployment: there is none, or a push is under way.
var (
	ErrNeverDeployed = errors.New("was never deployed")
	ErrDeploying     = errors.New("is being deployed")
)

// Record describes the last deployment of an environment.
type Record struct {
	Version       int            `json:"version"`
	Stack         string         `json:"stack"`
	ApplicationID string         `json:"applicationId"`
	Branch        string         `json:"branch"`
	Environment   string         `json:"environment"`
	Provider      model.Provider `json:"provider"`
	Region        string         `json:"region"`
	// Account is the account of a cloud; "" on this machine.
	Account  string     `json:"account,omitempty"`
	Deployed time.Time  `json:"deployed"`
	APIs     []Endpoint `json:"apis"`
	// UserPoolEndpoint and IdentityPoolEndpoint are the addresses of the pools of an
	// environment that is deployed to this machine; "" if it has none, and in older
	// records.
	UserPoolEndpoint     string `json:"userPoolEndpoint,omitempty"`
	IdentityPoolEndpoint string `json:"identityPoolEndpoint,omitempty"`
	// Outputs are the values of the client configuration file that only the
	// deployment knows, Values all its values, both in the neutral dialect.
	Outputs model.Outputs `json:"outputs"`
	Values  model.Outputs `json:"values"`
	// Dialect is the project's dialect when it was deployed.
	Dialect model.Dialect `json:"dialect"`
	// Sources are the hashes of the files of the functions' sources, by function and file
	// (see Project.Sources), if the snapshot has none of these files.
	Sources map[string]map[string]string `json:"sources,omitempty"`
	// Definition is a hash of the definition's files, of a deployment elsewhere.
	Definition string `json:"definition,omitempty"`
	// Snapshot is the folder next to the record with the definition as deployed.
	Snapshot string `json:"snapshot"`
}

// Endpoint is the address of a deployed API.
type Endpoint struct {
	API string `json:"api"`
	ID  string `json:"id"`
	// URL is without a trailing slash.
	URL string `json:"url"`
	// Example is a path to call, made from the API's first one; "" if it has none.
	Example string `json:"example,omitempty"`
}

// recordVersion is the version of the record's format. Records of other versions are
// not read.
const recordVersion = 1

// deployments is the folder of the deployments, one folder for each environment.
const deployments = journal.Folder + "/deployed"

func deploymentFolder(env string) string { return path.Join(deployments, env) }

func recordFile(env string) string { return path.Join(deploymentFolder(env), "record.json") }

// deploymentLock returns the lock of a push, relative to the state folder.
func deploymentLock(env string) string { return path.Join("deployed", env, "lock") }

// readRecord reads the record of an environment, also while a push is under way.
func readRecord(fsys afero.Fs, env string) (Record, error) {
	never := fmt.Errorf("environment %s %w", phrase.Quote(env), ErrNeverDeployed)
	if model.CheckName(model.KindEnvironment, env) != nil {
		return Record{}, never
	}
	name := recordFile(env)
	text, err := read.Bytes(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, never
	}
	if err != nil {
		return Record{}, err
	}
	const again = "push again"
	broken := func(err error) error {
		return &read.Problem{File: name, Text: "cannot be read: " + err.Error(), Fix: again}
	}
	// The version comes first: other versions may have other types.
	var format struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &format); err != nil {
		return Record{}, broken(err)
	}
	if format.Version != recordVersion {
		return Record{}, &read.Problem{
			File: name, Text: fmt.Sprintf("has the version %d, but this gatewright reads version %d", format.Version,
				recordVersion),
			Fix: "use the gatewright that wrote it, or push again",
		}
	}
	var record Record
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&record); err != nil {
		return Record{}, broken(err)
	}
	switch {
	case record.Environment != env:
		return Record{},
			&read.Problem{File: name, Text: "belongs to the environment " + phrase.Quote(record.Environment), Fix: again}
	case record.Region != "" && model.CheckRegion(record.Region) != nil:
		return Record{},
			&read.Problem{File: name, Pointer: "/region", Text: phrase.Quote(record.Region) + " is not a region", Fix: again}
	case !fs.ValidPath(record.Snapshot) || path.Base(record.Snapshot) != record.Snapshot || record.Snapshot == ".":
		return Record{}, &read.Problem{File: name, Text: "names no folder next to it as its snapshot", Fix: again}
	}
	return record, nil
}

// ReadRecord reads the record of an environment without loading the project in the
// folder root. The error matches ErrNeverDeployed if there is none, and ErrDeploying
// while a push is under way.
func ReadRecord(root, env string) (Record, error) {
	fsys, err := disk.Open(root)
	if err != nil {
		return Record{}, fmt.Errorf("reading the last deployment: %w", err)
	}
	defer func() { _ = fsys.Close() }()
	if err := deploying(fsys, env); err != nil {
		return Record{}, err
	}
	return readRecord(fsys, env)
}

// RecordKept returns when the record of an environment was written on this machine; the zero
// time if there is none.
func RecordKept(root, env string) time.Time {
	fsys, err := disk.Open(root)
	if err != nil {
		return time.Time{}
	}
	defer func() { _ = fsys.Close() }()
	info, err := fsys.Stat(recordFile(env))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// deploying returns an error that matches ErrDeploying while a push is under way.
func deploying(fsys afero.Fs, env string) error {
	return deployingError(env, journal.Busy(fsys, deploymentLock(env)))
}

func deployingError(env string, err error) error {
	if locked, ok := errors.AsType[*journal.LockedError](err); ok {
		return fmt.Errorf("environment %s %w by %s; try again after that", phrase.Quote(env), ErrDeploying,
			locked.Holder())
	}
	return err
}

// DeployedOutputs returns the outputs of the environment's deployment; nil if there was
// none.
func (p *Project) DeployedOutputs(env string) (model.Outputs, error) {
	record, err := readRecord(p.FS, env)
	if errors.Is(err, ErrNeverDeployed) {
		return nil, nil
	}
	return record.Outputs, err
}
