package deploy

import (
	"slices"

	"gatewright/deploy/cloudlog"
	"gatewright/model"
)

// LogGroup returns the name of the log group of a deployed function, by its resource name. The
// error says that the last push did not have it.
func (r *Reached) LogGroup(function string) (string, error) {
	name, err := r.Function(function)
	if err != nil {
		return "", err
	}
	if group, err := r.physical(logGroupType, model.Ref{Kind: model.KindFunction, Name: function}); err == nil {
		return group, nil
	}
	// Without one of its own, a function logs there
	// (https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html).
	return "/aws/lambda/" + name, nil
}

// Logs returns what reads the logs of deployed functions, by their resource names. The error
// says which of them the last push did not have.
func (r *Reached) Logs(functions []string) (*cloudlog.Reader, error) {
	logs := &cloudlog.Reader{Account: r.Account, Environment: r.Deployment.Environment}
	for i, function := range functions {
		if slices.Contains(functions[:i], function) {
			continue
		}
		group, err := r.LogGroup(function)
		if err != nil {
			return nil, err
		}
		logs.Groups = append(logs.Groups, cloudlog.Group{Function: function, Name: group})
	}
	return logs, nil
}
