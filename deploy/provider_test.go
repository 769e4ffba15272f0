package deploy_test

import (
	"errors"
	"testing"

	"gatewright/deploy"
	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/model"
)

func TestTheProviderOfAnEnvironment(t *testing.T) {
	t.Parallel()
	if provider, err := deploy.ProviderOf(&model.Environment{Name: "dev", Provider: model.Local}, index.Index{}); err != nil || provider == nil {
		t.Errorf("local: %v, %v", provider, err)
	}
	if provider, err := deploy.ProviderOf(&model.Environment{Name: "prod", Provider: model.AWS}, index.Index{}); err != nil || provider == nil {
		t.Errorf("an environment of AWS has the provider %v, %v", provider, err)
	}
	if provider, err := deploy.ProviderOf(&model.Environment{Name: "prod", Provider: "moon"}, index.Index{}); !errors.Is(err, contract.ErrProvider) || provider != nil {
		t.Errorf("aws: %v, %v", provider, err)
	}
}
