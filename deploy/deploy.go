// Package deploy pushes an environment of a project and finds what was pushed.
//
// A provider (package contract) deploys environments to one kind of place: ProviderOf returns that of an environment.
// An environment is one stack, named from the application id and the environment's branch; package index lists the
// stacks of this machine, so that a deployment is found from any folder.
//
// A new provider is a type with Push and Record, a case in ProviderOf, and a name in model.Provider. It returns a
// project.Record: status, the client configuration file and generate outputs read nothing else of a deployment.
//
// A push to AWS is made in phases, which the comment of package aws tells. Between two of them a
// person sees what would change, and agrees. What a push with --adopt takes over has a function for
// its type, which says why it cannot be taken over; template.Adoption gives the import the
// properties that the resource has, and the update after it brings the rest in line.
//
// A reason to refuse a push is in package refuse, which the push, its dialog and status ask, so that all three say
// the same; what only the account knows is found by Prepare. A build server is a row in package buildserver.
package deploy

import (
	"gatewright/deploy/aws"
	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/model"
)

// ProviderOf returns the provider of an environment. The error matches contract.ErrProvider.
func ProviderOf(env *model.Environment, index index.Index) (contract.Provider, error) {
	switch env.Provider {
	case model.Local:
		return local.Provider{Index: index}, nil
	case model.AWS:
		return aws.Provider{}, nil
	}
	return nil, contract.UnknownProvider(env)
}
