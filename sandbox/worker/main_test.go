package worker

import (
	"os"
	"testing"

	"gatewright/sandbox/prepare/preparetest"
)

// servingVariable has a process run one test, see TestAKilledSandboxLeavesNoWorker.
const servingVariable = "GATEWRIGHT_TEST_FOLDER"

func TestMain(m *testing.M) {
	if preparetest.StandIn() == "handler" {
		os.Exit(standForHandler(os.Getenv("AWS_LAMBDA_RUNTIME_API")))
	}
	if os.Getenv(servingVariable) != "" {
		os.Exit(m.Run())
	}
	preparetest.RunTests(m)
}
