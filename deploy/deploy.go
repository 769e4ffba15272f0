package deploy

import (
	"gatewright/model"
)

// ProviderOf returns the provider of an environment. The error matches ErrProvider.
func ProviderOf(env *model.Environment, index Index) (Provider, error) {
	switch env.Provider {
	case model.Local:
		return Local{Index: index}, nil
	case model.AWS:
		return AWS{}, nil
	}
	return nil, providerProblem(env)
}
