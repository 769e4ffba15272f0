package design

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
)

func newUpdateProject(streams command.Streams) *cobra.Command {
	var write editFlags
	cmd := &cobra.Command{
		Use:   "project",
		Short: "Change the project's name, application ID, region, dialect or port",
		Long: `Change the settings of the whole project. A flag replaces a value; what has no flag stays.

Another dialect translates the client configuration file and changes its name. With another application ID, each
environment gets another stack and other endpoints at its next push.`,
		Example: command.Examples("update project --region eu-west-1",
			"update project --dialect amplify --dry-run --diff",
			"update project --app-id d1life --sandbox-port 4300"),
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !fieldsGiven(cmd, &model.Project{}) {
				return noChangeGiven(cmd)
			}
			return write.change(streams, func(e *editing) error {
				e.describe("updated", model.Ref{Kind: model.KindProject})
				p := e.Project
				if err := setFields(cmd, &p); err != nil {
					return err
				}
				e.noteApplicationID(p.ApplicationID)
				return edit.SetProject(e.Backend, p)
			})
		},
	}
	addFieldFlags(cmd, &model.Project{}, []fieldFlag{
		{"name", "the project's `NAME`", nil},
		{"applicationId", "the application `ID`; names of stacks and endpoints come from it", nil},
		{"region", "the default `REGION` of its environments", command.CompleteWords(model.Regions...)},
		{"dialect", "the `DIALECT` of the client configuration file: neutral or amplify", nil},
		{"sandboxPort", "the `PORT` of the sandbox (default 4280)", nil},
	})
	write.Add(cmd)
	return cmd
}

// noteApplicationID notes the deployments that belong to the present application id and
// not to the next one.
func (e *editing) noteApplicationID(next string) {
	was := e.project.Backend.Project.ApplicationID
	if was == next || e.project.Foreign() {
		return
	}
	var pushed []string
	for _, env := range e.Environments {
		// A record that cannot be read belongs to no id.
		if record, err := project.ReadRecord(e.project.Root, env.Name); err == nil && record.ApplicationID != next {
			pushed = append(pushed, env.Name)
		}
	}
	if len(pushed) > 0 {
		e.note("with application ID %[2]s instead of %[1]s the environments %[3]s get other endpoints; push "+
			"them again",
			phrase.Quote(was), phrase.Quote(next), phrase.QuoteList(pushed))
	}
}
