package build

import (
	"testing"

	"gatewright/sandbox/build/buildtest"
)

func TestMain(m *testing.M) {
	buildtest.StandIn()
	buildtest.RunTests(m)
}
