package registry_test

import (
	"os"
	"strings"
	"testing"

	"gatewright/test/registry"
)

func TestMain(m *testing.M) { os.Exit(registry.Main(m)) }

func TestTheTestsOfAPackageShareARegistry(t *testing.T) {
	t.Parallel()
	s := registry.Shared(t)
	if got := os.Getenv("npm_config_registry"); got != s.URL || !strings.HasPrefix(os.Getenv("PIP_INDEX_URL"), s.URL+"/") {
		t.Errorf("the registry is %s, the variables say %s and %s", s.URL, got, os.Getenv("PIP_INDEX_URL"))
	}
}

func TestThePublicRegistriesAreThoseOfTheMachine(t *testing.T) {
	registry.Public(t)
	for _, name := range []string{"npm_config_registry", "PIP_INDEX_URL", "HTTPS_PROXY"} {
		if strings.HasPrefix(os.Getenv(name), registry.Shared(t).URL) {
			t.Errorf("%s is still %s", name, os.Getenv(name))
		}
	}
}
