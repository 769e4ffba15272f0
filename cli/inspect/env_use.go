package inspect

import (
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/account"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/plan"
)

func newEnvUse(streams command.Streams) *cobra.Command {
	var (
		write   command.WriteFlags
		profile string
	)
	cmd := &cobra.Command{
		Use:   "use NAME",
		Short: "Choose the environment that commands use on this machine",
		Long: `Choose the environment that commands without --env use on this machine, and write the client
configuration file for it.

--profile also keeps the AWS profile whose credentials deploy the environment from this machine; an empty one
removes it. The name of the profile is in no file that goes into version control.`,
		Example: command.Examples("env use qa", "env use qa --dry-run --diff",
			"env use prod --profile shop-deployer"),
		Args:              command.Arguments("a NAME"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindEnvironment),
		RunE: func(cmd *cobra.Command, args []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				done := ""
				if cmd.Flags().Changed("profile") {
					var err error
					if done, err = keepProfile(p, args[0], profile, write.DryRun, streams); err != nil {
						return err
					}
				}
				return use(p, args[0], done, &write, streams)
			})
		},
	}
	cmd.Flags().StringVar(&profile, "profile", "", "the AWS `PROFILE` whose credentials deploy it; from this machine")
	_ = cmd.RegisterFlagCompletionFunc("profile", cloud.CompleteProfile)
	write.Add(cmd)
	return cmd
}

// use chooses an environment; done ends what the report says was done.
func use(p *project.Project, name, done string, write *command.WriteFlags, streams command.Streams) error {
	current := p.CurrentEnvironment()
	plan, err := plan.Use(p, name)
	if err != nil {
		return err
	}
	shown := phrase.Quote(name)
	switch {
	case !plan.Empty():
		return write.Write(plan, "using environment "+shown+done, nil, streams)
	case current != nil && current.Name == name && done == "":
		return write.Write(plan, "environment "+shown+" is chosen", nil, streams)
	}
	return write.WriteChoice(plan, "using environment "+shown+done, streams)
}

// longestProfile is how many bytes the name of a profile may have.
const longestProfile = 255

// keepProfile keeps or removes the profile of an environment, unless it is a dry run. It
// returns what the report says of that, without the name of the profile.
func keepProfile(p *project.Project, name, profile string, dryRun bool, streams command.Streams) (string, error) {
	env, err := command.NamedEnvironment(p.Backend, name)
	if err != nil {
		return "", err
	}
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case profile == "":
	case env.Provider == model.Local:
		return "", &model.Problem{
			Of:   model.Ref{Kind: model.KindEnvironment, Name: name},
			Text: "it is deployed to this machine, which needs no profile",
			Fix:  "to deploy it to AWS: gatewright update env " + phrase.Quote(name) + " --provider aws",
		}
	case len(profile) > longestProfile || strings.ContainsFunc(profile, unprintable) ||
		strings.TrimSpace(profile) != profile:
		return "", command.Misuse("--profile takes the name of an AWS profile, not %s", phrase.Quote(profile))
	default:
		noteUnknown(profile, streams)
	}
	if !dryRun {
		if err := p.SetProfile(name, profile); err != nil {
			return "", err
		}
	}
	if profile == "" {
		return "; this machine keeps no profile for it", nil
	}
	return ", with the profile that is kept on this machine", nil
}

// noteUnknown tells the person, and not the report, that the profile does not exist yet.
func noteUnknown(profile string, streams command.Streams) {
	profiles, err := account.Profiles()
	if err != nil || slices.Contains(profiles, profile) {
		return
	}
	if near := spelling.Nearest(profile, profiles); near != "" {
		command.Say(streams.Err, "note: there is no profile %s yet; did you mean %s?", phrase.Quote(profile),
			phrase.Quote(near))
		return
	}
	command.Say(streams.Err, "note: there is no profile %s yet; make it with: aws configure --profile %[1]s",
		phrase.Quote(profile))
}
