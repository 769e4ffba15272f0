package app_test

import (
	"testing"

	"gatewright/test/depth"
	"gatewright/tui/frame/frametest"
)

// everyPlace is the distance between the places that tests of all places visit. It is odd, since
// every second dashboard is read-only.
var everyPlace = depth.Rounds(37, 5, 1)

func TestMain(m *testing.M) { frametest.Main(m) }
