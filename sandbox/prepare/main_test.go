package prepare

import (
	"testing"

	"gatewright/sandbox/prepare/preparetest"
)

func TestMain(m *testing.M) {
	preparetest.StandIn()
	preparetest.RunTests(m)
}
