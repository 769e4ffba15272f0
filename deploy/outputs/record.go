// Package outputs has what the clients of a deployment get: its ids and addresses, the values of its
// client configuration file, and its user pool. Those of a deployment on this machine are made here,
// always the same ones for an environment.
package outputs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/big"
	"time"

	"gatewright/deploy/index"
	"gatewright/internal/uuid"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/clientfile"
	"gatewright/project"
	"gatewright/sandbox/identity"
)

// RecordOf returns the record of a local deployment, and the sections of the client
// configuration file that lack required fields, with those fields. The error is a
// *model.Problem if an output contradicts a value of the deployment.
func RecordOf(b *model.Backend, env *model.Environment, now time.Time) (project.Record, map[string][]string, error) {
	if err := checkRegions(b, env); err != nil {
		return project.Record{}, nil, err
	}
	record := project.Record{
		Stack:         index.StackName(b.Project.ApplicationID, env.BranchName()),
		ApplicationID: b.Project.ApplicationID, Branch: env.BranchName(), Environment: env.Name,
		Provider: model.Local, Region: b.Region(env), Deployed: now.UTC(), Dialect: b.Project.Dialect,
		APIs: []project.Endpoint{}, Outputs: model.Outputs{},
	}
	ids := idMaker{b.Project.ApplicationID, env.Name}
	here := b.For(env)
	address := AddressAt(b.Project.Port())
	apis := make(map[string]any)
	for _, api := range here.APIs {
		endpoint := project.Endpoint{API: api.Label, Example: api.Example()}
		endpoint.URL, endpoint.ID = localEndpoint(b, api, env)
		record.APIs = append(record.APIs, endpoint)
		apis[api.Label] = map[string]any{"endpoint": endpoint.URL, "region": record.Region, "apiName": api.Label}
	}
	if len(apis) > 0 {
		record.Outputs["custom"] = map[string]any{"API": apis}
	}
	if here.UsesUserPool() {
		record.UserPoolEndpoint, record.IdentityPoolEndpoint = address+identity.UserPoolPath,
			address+identity.IdentityPoolPath
		if auth := poolOutputs(here, record.Region, ids); len(auth) > 0 {
			record.Outputs["auth"] = auth
		}
	}
	content, err := clientfile.Of(b, env, record.Outputs)
	if err != nil {
		return project.Record{}, nil, err
	}
	record.Values = content.Values
	return record, content.Waiting, nil
}

// checkRegions refuses regions that no id can be made of: of the environment, and of the
// section auth, in the definition of the user pool or in an output.
func checkRegions(b *model.Backend, env *model.Environment) error {
	if err := b.CheckRegionOf(env); err != nil {
		return err
	}
	here := b.For(env)
	problems := model.CheckRegionsOf(model.Ref{Kind: model.KindAuth}, "", definedAuth(here))
	for _, o := range here.Outputs {
		section, _ := o.Values["auth"].(map[string]any)
		problems = append(problems,
			model.CheckRegionsOf(model.Ref{Kind: model.KindOutput, Name: o.Name}, "/auth", section)...)
	}
	if len(problems) > 0 {
		return problems[0]
	}
	return nil
}

// localEndpoint returns the address and the id of an API of an environment on this machine.
func localEndpoint(b *model.Backend, api *access.API, env *model.Environment) (url, id string) {
	id = idMaker{b.Project.ApplicationID, env.Name}.text("api "+api.Label, lowercase, apiIDLength)
	return AddressAt(b.Project.Port()) + "/" + id + "/" + env.Name, id
}

// AddressAt returns the base address of the sandbox at a port.
func AddressAt(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

// poolOutputs returns the fields of the section auth that a deployment adds: those that neither the definition of the
// user pool nor an output has. An existing pool has its ids there.
func poolOutputs(b *model.Backend, region string, ids idMaker) map[string]any {
	fields := AuthFields(b)
	if own, ok := fields["cloud_region"].(string); ok {
		region = own
	}
	values := map[string]any{
		"cloud_region":        region,
		"user_pool_id":        region + "_" + ids.text("user pool", alphanumeric, userPoolIDLength),
		"user_pool_client_id": ids.text("user pool client", lowercase, clientIDLength),
		"identity_pool_id":    region + ":" + ids.uuid("identity pool"),
	}
	if b.Auth == nil && fields["identity_pool_id"] == nil {
		// If the field is missing, people read true, and a client library reads false.
		values["unauthenticated_identities_enabled"] = b.Auth.GuestsEnabled()
	}
	for name := range fields {
		delete(values, name)
	}
	return values
}

// AuthFields returns the fields of the section auth that the definition or an output has.
func AuthFields(b *model.Backend) map[string]any {
	fields := make(map[string]any)
	for _, o := range b.Outputs {
		section, _ := o.Values["auth"].(map[string]any)
		for name, value := range section {
			fields[name] = value
		}
	}
	maps.Copy(fields, definedAuth(b))
	return fields
}

// definedAuth returns the fields of the section auth that the definition has.
func definedAuth(b *model.Backend) map[string]any {
	fields := make(map[string]any)
	if b.Auth == nil {
		return fields
	}
	for name, value := range map[string]string{
		"cloud_region": b.Auth.Region, "user_pool_id": b.Auth.UserPoolID,
		"user_pool_client_id": b.Auth.UserPoolClientID, "identity_pool_id": b.Auth.IdentityPoolID,
	} {
		if value != "" {
			fields[name] = value
		}
	}
	return fields
}

// The alphabets and lengths of ids are those of AWS, so that client libraries accept them.
const (
	lowercase    = "0123456789abcdefghijklmnopqrstuvwxyz"
	alphanumeric = lowercase + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

	apiIDLength      = 10
	userPoolIDLength = 9
	clientIDLength   = 26
)

// idMaker makes the ids of an environment: always the same ones, which no other environment has.
type idMaker struct{ applicationID, environment string }

// sum returns a hash of the environment and what the id is for. Each part is preceded
// by its length, so that different lists of parts never give the same text.
func (m idMaker) sum(what string) [sha256.Size]byte {
	var text []byte
	for _, part := range []string{m.applicationID, m.environment, what} {
		text = binary.AppendUvarint(text, uint64(len(part)))
		text = append(text, part...)
	}
	return sha256.Sum256(text)
}

func (m idMaker) text(what, alphabet string, length int) string {
	sum := m.sum(what)
	rest, base, digit := new(big.Int).SetBytes(sum[:]), big.NewInt(int64(len(alphabet))), new(big.Int)
	id := make([]byte, length)
	for i := range id {
		rest.DivMod(rest, base, digit)
		id[i] = alphabet[digit.Int64()]
	}
	return string(id)
}

// uuid returns a UUID of version 8, whose bits are free to choose (RFC 9562, 5.8).
func (m idMaker) uuid(what string) string {
	sum := m.sum(what)
	return uuid.V8([16]byte(sum[:16]))
}
