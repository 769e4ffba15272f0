package deploy_test

import (
	"errors"
	"testing"

	"gatewright/deploy"
	"gatewright/model"
)

func TestTheProviderOfAnEnvironment(t *testing.T) {
	t.Parallel()
	if provider, err := deploy.ProviderOf(&model.Environment{Name: "dev", Provider: model.Local}, deploy.Index{}); err != nil || provider == nil {
		t.Errorf("local: %v, %v", provider, err)
	}
	if provider, err := deploy.ProviderOf(&model.Environment{Name: "prod", Provider: model.AWS}, deploy.Index{}); err != nil || provider == nil {
		t.Errorf("an environment of AWS has the provider %v, %v", provider, err)
	}
	if provider, err := deploy.ProviderOf(&model.Environment{Name: "prod", Provider: "moon"}, deploy.Index{}); !errors.Is(err, deploy.ErrProvider) || provider != nil {
		t.Errorf("aws: %v, %v", provider, err)
	}
}
