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
