package outputs

import (
	"errors"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/render/openapi"
	"gatewright/render/template"
)

// ServersOf returns where an API is, for a document of OpenAPI. For an environment it is the address that its last
// push gave the API, else what the definition says of it. If env is nil, it is what the definition says of all
// environments that have the API, which is the same on every machine.
func ServersOf(p *project.Project, api *access.API, env *model.Environment) ([]openapi.Server, error) {
	if env == nil {
		return definedServers(p.Backend, api)
	}
	server, err := definedServer(p.Backend, api, env)
	if err != nil {
		return nil, err
	}
	record, err := project.ReadRecord(p.Root, env.Name)
	if err != nil && !errors.Is(err, project.ErrNeverDeployed) {
		return nil, err
	}
	for _, e := range record.APIs {
		if e.API == api.Label {
			server = openapi.Server{URL: e.URL, Description: "Environment " + env.Name}
		}
	}
	return []openapi.Server{server}, nil
}

// definedServers returns where the definition alone says that an API is. A project of the
// Amplify CLI may have no environments, because their file is often kept out of version control.
func definedServers(b *model.Backend, api *access.API) ([]openapi.Server, error) {
	var servers []openapi.Server
	for _, env := range b.Environments {
		if !env.Has(api.Label) {
			continue
		}
		server, err := definedServer(b, api, env)
		if err != nil {
			return nil, err
		}
		servers = append(servers, server)
	}
	if len(servers) > 0 {
		return servers, nil
	}
	return []openapi.Server{{
		URL:         "https://{api}.execute-api.{region}.amazonaws.com/{environment}",
		Description: "An environment in AWS; " + apiMeans,
		Variables: []openapi.Variable{
			apiVariable,
			{Name: "region", Default: b.Region(nil)},
			{Name: "environment", Default: model.FirstEnvironment},
		},
	}}, nil
}

// apiVariable is the part of an address that is known only after a push, see
// https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-call-api.html
var apiVariable = openapi.Variable{Name: "api", Default: "api-id"}

const apiMeans = "api is the id that the API has there"

// definedServer returns where the definition alone says that an environment has an API.
func definedServer(b *model.Backend, api *access.API, env *model.Environment) (openapi.Server, error) {
	if err := b.CheckRegionOf(env); err != nil {
		return openapi.Server{}, err
	}
	server := openapi.Server{Description: "Environment " + env.Name}
	if env.Provider == model.Local {
		server.Description += ", on the machine of its developer"
		server.URL, _ = localEndpoint(b, api, env)
		return server, nil
	}
	region := b.Region(env)
	server.URL = "https://{api}.execute-api." + region + "." + template.URLSuffix(region) + "/" + env.Name
	server.Description += "; " + apiMeans
	server.Variables = []openapi.Variable{apiVariable}
	return server, nil
}
