package console

import (
	"os"
	"testing"
	"time"

	"gatewright/request/requesttest"
)

// TestMain has one time zone on every machine: screens show a person's own.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The projects that the page is tried with.
var shop, written, pushed, addUser = requesttest.Shop, requesttest.Written, requesttest.Pushed, requesttest.AddUser
