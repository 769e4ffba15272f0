package render

import (
	"strings"

	"gatewright/render/client"
)

// cliSnippet returns the lines that configure aws-amplify from a file of the Amplify CLI.
// The library reads the REST APIs from aws_cloud_logic_custom, but no endpoints of pools.
func cliSnippet(file string, format Format, pools PoolEndpoints) []string {
	name := "config"
	if format == AWSExports {
		name, file = "awsmobile", strings.TrimSuffix(file, ".js")
	}
	lines := []string{"import { Amplify } from 'aws-amplify';"}
	from := "import " + name + " from " + module(file, format) + ";"
	if pools == (PoolEndpoints{}) {
		return append(lines, from, "", "Amplify.configure("+name+");")
	}
	lines = append(lines, parser, from, "", "const parsed = parseAmplifyConfig("+name+");")
	lines = append(lines,
		configureAt(pools, name+".aws_user_pools_id", name+".aws_user_pools_web_client_id",
			name+".aws_cognito_identity_pool_id")...)
	return append(lines, "});")
}

// nativeSnippet returns a comment: the libraries for Android, iOS and Flutter find the
// file by its name. They reach a pool at another host by HTTPS only
// (https://github.com/aws-amplify/amplify-swift, UserPoolConfigurationData, field Endpoint).
func nativeSnippet(file string, pools PoolEndpoints) string {
	lines := []string{"// The libraries for Android, iOS and Flutter read " + client.String(file) +
		" from the app's resources; no code names it."}
	if pools != (PoolEndpoints{}) {
		lines = append(lines,
			"// They reach no pool on this machine, so calls are not signed: send a token of a user (gatewright token USER) "+
				"as the",
			"// header Authorization: Bearer TOKEN. For amplify_flutter, --format dart --snippet leads to the user pool.")
	}
	return strings.Join(lines, "\n") + "\n"
}
