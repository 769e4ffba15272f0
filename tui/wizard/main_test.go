package wizard_test

import (
	"testing"

	"gatewright/test/depth"
)

// The go command lists this package last.
func TestMain(m *testing.M) { depth.Main(m) }
