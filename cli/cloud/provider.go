// Package cloud has what the commands about environments in the cloud share: how they ask,
// show progress, and are interrupted.
package cloud

import (
	"context"
	"errors"
	"strings"

	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// Provider returns the provider of a command, which asks for codes of MFA devices in a
// terminal only.
func Provider(streams command.Streams) aws.Provider {
	aws := streams.AWS
	aws.Getenv = streams.Getenv
	if command.Attended(streams) {
		aws.MFA = func(ctx context.Context, serial string) (string, error) {
			code, err := command.AskUntil(ctx, streams, "code of the MFA device "+phrase.Quote(serial)+": ")
			return strings.TrimSpace(code), err
		}
	}
	return aws
}

// Refresh brings this machine's copy of what is deployed up to date, for each of the
// environments that is in the cloud. One that cannot be asked about is noted: then what this
// machine knows has to do.
func Refresh(streams command.Streams, p *project.Project, envs ...*model.Environment) {
	for _, env := range envs {
		if env == nil || env.Provider != model.AWS || p.Foreign() {
			continue
		}
		if _, err := Provider(streams).Refresh(context.Background(), p, env); err != nil {
			command.Say(streams.Err, "note: the deployment of environment %s is shown as this machine last saw it: %v",
				phrase.Quote(env.Name), err)
		}
	}
}

// Interrupted is the error of a command that was interrupted before anything goes on in the
// cloud.
func Interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return command.ExitInterrupted
	}
	return err
}
