package sandbox

import "testing"

func TestAProcessThatEndsIsToldAsLambdaTellsIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"RequestId: r-1 Error: Runtime exited with error: exit status 3":                      "RequestId: r-1 Error: Runtime exited with error: exit status 3",
		"r-1 Task timed out after 3.00 seconds":                                               "r-1 Task timed out after 3.00 seconds",
		"Error: Cannot find module 'index'\nRequire stack:\n- /home/somebody/runtime/boot.js": "Error: Cannot find module 'index'",
	} {
		if got := cloudMessage(text); got != want {
			t.Errorf("%q is told as %q, want %q", text, got, want)
		}
	}
}

func TestTheMessageOfAFunctionsErrorIsItsOwn(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]string{
		`{"errorType": "Error", "errorMessage": "no thanks", "trace": []}`: "no thanks",
		`{"errorMessage": ""}`:   "",
		`{"errorMessage": null}`: "null",
		`"text"`:                 "null",
	} {
		if got := errorMessage([]byte(payload)); got != want {
			t.Errorf("%s has the message %q, want %q", payload, got, want)
		}
	}
}
