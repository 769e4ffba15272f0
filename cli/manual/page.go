package manual

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatewright/cli/command"
)

// files are the files of a project and of the program, for the page of the whole program.
var files = []command.Fact{
	{
		Name:  "backend/",
		Means: "the definition of a project: APIs, functions, tables, environments, groups. It is committed.",
	},
	{Name: "amplify/backend/", Means: "the definition of an Amplify CLI project."},
	{Name: "client_config.json", Means: "the client configuration file. It is generated and not committed."},
	{
		Name: ".gatewright/",
		Means: "state of the project on this machine: what was pushed, the data of the sandbox, secrets. It is " +
			"not committed.",
	},
	{
		Name: "~/.local/state/gatewright/",
		Means: "state of this user. On Windows it is %LOCALAPPDATA%\\gatewright\\state. GATEWRIGHT_STATE names another " +
			"folder.",
	},
}

// page writes the page of one command.
func page(cmd *cobra.Command, e Edition) []byte {
	r := &roff{}
	name := pageName(cmd)
	r.line(".TH " + quoted(strings.ToUpper(name)) + " 1 " + quoted(e.Date.UTC().Format("2006-01-02")) + " " +
		quoted("gatewright "+e.Version) + " " + quoted("gatewright manual"))
	// Commands are copied from a page, so they are not broken in the middle of a word.
	r.line(".nh")
	r.line(".ad l")
	r.section("NAME")
	r.text(strings.ReplaceAll(name, "-", `\-`) + ` \- ` + escaped(strings.TrimSuffix(cmd.Short, ".")))
	r.section("SYNOPSIS")
	r.synopsis(cmd.UseLine())
	r.section("DESCRIPTION")
	r.prose(cmp.Or(cmd.Long, cmd.Short))
	r.commands(cmd)
	r.options("OPTIONS", cmd.NonInheritedFlags())
	r.options("INHERITED OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		r.section("EXAMPLES")
		r.example(cmd.Example)
	}
	if !cmd.HasParent() {
		r.facts("EXIT STATUS", command.ExitCodes)
		r.facts("ENVIRONMENT", command.Variables)
		r.facts("FILES", files)
	} else {
		r.section("EXIT STATUS")
		r.text("0 if it is done, 1 if it failed, 2 if it was used wrongly. \\fB" + escaped(cmd.Root().Name()) +
			"\\fR(1) lists all exit codes and the environment variables.")
	}
	r.seeAlso(cmd)
	return []byte(r.String())
}

// commands lists the commands of a group, below the titles that help has.
func (r *roff) commands(cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	r.section("COMMANDS")
	title := ""
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if sub.GroupID != title {
			title = sub.GroupID
			r.line(".SS " + quoted(escaped(strings.TrimSuffix(title, ":"))))
		}
		r.item(`\fB`+escaped(sub.Name())+`\fR`, sub.Short)
	}
}

// options lists flags: name, kind of value, meaning, default.
func (r *roff) options(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	r.section(title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, _ := pflag.UnquoteUsage(f)
		heading := `\fB` + escaped("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			heading = `\fB` + escaped("-"+f.Shorthand) + `\fR, ` + heading
		}
		if value != "" {
			heading += ` \fI` + escaped(value) + `\fR`
		}
		r.item(heading, command.FlagUsage(f))
	})
}

// facts lists names and what they mean.
func (r *roff) facts(title string, facts []command.Fact) {
	r.section(title)
	for _, fact := range facts {
		r.item(`\fB`+escaped(fact.Name)+`\fR`, fact.Means)
	}
}

// seeAlso names the pages of the group that a command is in, and of the commands in it.
func (r *roff) seeAlso(cmd *cobra.Command) {
	var pages []string
	add := func(other *cobra.Command) {
		pages = append(pages, `\fB`+escaped(pageName(other))+`\fR(1)`)
	}
	if cmd.HasParent() {
		add(cmd.Parent())
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			add(sub)
		}
	}
	if len(pages) > 0 {
		r.section("SEE ALSO")
		r.text(strings.Join(pages, ", "))
	}
}
