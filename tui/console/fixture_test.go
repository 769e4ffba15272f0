package console

import (
	"testing"
	"time"

	"gatewright/flow/request/requesttest"
	"gatewright/tui/frame/frametest"
)

// TestMain sets the time zone, because screens show local time.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	frametest.Main(m)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The projects of these tests.
var shop, written, pushed, addUser = requesttest.Shop, requesttest.WriteProject, requesttest.Push, requesttest.AddUser
