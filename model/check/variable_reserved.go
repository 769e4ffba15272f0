package check

import (
	"slices"

	"gatewright/model"
)

// reserved are the names of variables that AWS Lambda sets itself, and that the configuration of
// a function cannot have. Those that begin with _ are no names for a variable anyway. See
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
var reserved = []string{
	"AWS_DEFAULT_REGION", "AWS_REGION", "AWS_EXECUTION_ENV",
	"AWS_LAMBDA_FUNCTION_NAME", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "AWS_LAMBDA_FUNCTION_VERSION",
	"AWS_LAMBDA_INITIALIZATION_TYPE",
	"AWS_LAMBDA_LOG_GROUP_NAME", "AWS_LAMBDA_LOG_STREAM_NAME", "AWS_LAMBDA_RUNTIME_API",
	"AWS_LAMBDA_MAX_CONCURRENCY", "AWS_LAMBDA_METADATA_API", "AWS_LAMBDA_METADATA_TOKEN",
	"AWS_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
	"LAMBDA_TASK_ROOT", "LAMBDA_RUNTIME_DIR",
}

// ReservedVariable reports whether a name is that of an environment variable that a function
// cannot be given, because AWS Lambda sets it itself
// (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime).
func ReservedVariable(name string) bool { return slices.Contains(reserved, name) }

// The words of the problem of a reserved name, after what has it.
const (
	reservedText = "is set by AWS itself"
	reservedFix  = "give it another name"
)

// refusedLevel is the level of what AWS refuses in a function. In a project of the Amplify CLI
// it is a warning: the function's template is the CLI's, and the service has accepted it.
func (c *Checker) refusedLevel() model.Level {
	if !c.Defines(model.KindFunction) {
		return model.Warning
	}
	return model.Error
}
