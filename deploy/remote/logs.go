package remote

import (
	"slices"

	"gatewright/deploy/aws"
	"gatewright/deploy/cloudlog"
)

// LogsOf returns what reads the logs of deployed functions, by their resource names. The error
// says which of them the last push did not have.
func LogsOf(r *aws.Reached, functions []string) (*cloudlog.Reader, error) {
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
