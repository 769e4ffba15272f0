package worker

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/depth"
)

// TestAnOldSDKForPythonIsLedToTheSandbox has an SDK in the source that tells which address it was
// given, in a version that does not read the variables and in one that does itself.
func TestAnOldSDKForPythonIsLedToTheSandbox(t *testing.T) {
	t.Parallel()
	needs(t, model.Python)
	for version, want := range map[string]string{
		"1.27.96": `["http://127.0.0.1:9","http://127.0.0.1:8","http://own","http://own"]`,
		"1.31.0":  `[null,null,"http://own","http://own"]`,
	} {
		t.Run(version, func(t *testing.T) {
			if version == "1.31.0" {
				depth.Gate(t)
			}
			t.Parallel()
			f := newFacility(t, nil)
			f.serve(t, model.Python, map[string]string{
				"botocore/__init__.py": "__version__ = '" + version + "'\n",
				"botocore/session.py": "class Session:\n    def create_client(self, service_name, region_name=None, api_version=None, use_ssl=True, verify=None, endpoint_url=None):\n" +
					"        return endpoint_url\n",
				"index.py": "from botocore.session import Session\ns = Session()\ndef handler(e, c):\n" +
					"    return [s.create_client('ssm'), s.create_client('cognito-idp', 'us-east-1'), s.create_client('ssm', endpoint_url='http://own'), s.create_client('ssm', None, None, True, None, 'http://own')]\n",
			}, func(s *function.Spec) {
				s.Cloud = &function.Cloud{Address: "http://127.0.0.1:9", Caller: "ASIA1"}
				s.Variables = map[string]string{"AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER": "http://127.0.0.1:8"}
			})
			if got := f.result(t, `{}`); strings.ReplaceAll(got, " ", "") != want {
				t.Errorf("the addresses are %s, want %s", got, want)
			}
		})
	}
}
