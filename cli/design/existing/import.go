// Package existing has the commands for projects that were made otherwise: import and migrate.
package existing

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/amplifycli"
)

// NewImport makes the command import.
func NewImport(streams command.Streams) *cobra.Command {
	return command.Group(&cobra.Command{Use: "import", Short: "Make a project from another tool's project"},
		newImportAmplify(streams))
}

func newImportAmplify(streams command.Streams) *cobra.Command {
	i := &amplifyImport{streams: streams}
	cmd := &cobra.Command{
		Use:   "amplify [FOLDER] --into DIR",
		Short: "Make a project from an Amplify CLI project",
		Long: `Make a project in DIR from the Amplify CLI project in FOLDER (default: this folder), which stays
as it is. Nothing in the cloud is changed or used.

The new project gets its REST APIs, functions with their sources and layers, tables, user pool, triggers,
environments and variables. What cannot be imported is listed, each item with its place.`,
		Example: command.Examples("import amplify ../shop --into ../shop-native",
			"import amplify --into ../shop-native --dry-run",
			"import amplify --into ../shop-native --provider aws --dry-run"),
		Args: command.Optional("the folder of the old project"),
		RunE: func(_ *cobra.Command, args []string) error {
			i.folder = streams.Dir
			if len(args) > 0 {
				i.folder = absolute(streams.Dir, args[0])
			}
			return i.run()
		},
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	cmd.Flags().StringVar(&i.into, "into", "", "the folder of the new project; `DIR` is made if it is missing")
	cmd.Flags().StringVar(&i.name, "name", "", "the `NAME` of the new project (default: the old one's)")
	cmd.Flags().StringVar(&i.id, "app-id", "", "its application `ID` (default: the old project's)")
	cmd.Flags().StringVar(&i.provider, "provider", string(model.Local),
		"what deploys its environments: `PROVIDER` local, for this machine, or aws")
	_ = cmd.MarkFlagDirname("into")
	_ = cmd.RegisterFlagCompletionFunc("provider", command.CompleteWords(command.Words(model.Providers)...))
	i.write.Add(cmd)
	return cmd
}

// amplifyImport is a run of import amplify.
type amplifyImport struct {
	streams            command.Streams
	write              command.WriteFlags
	folder, into       string
	name, id, provider string
	old                *project.Project
	converted          *amplifycli.Converted
	// secrets are the files with the values of secrets, by environment.
	secrets map[string][]byte
}

func absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

func (i *amplifyImport) run() error {
	if !slices.Contains(model.Providers, model.Provider(i.provider)) {
		return command.Misuse("--provider takes local or aws, not %s", phrase.Quote(i.provider))
	}
	old, err := project.Open(i.folder)
	var second *project.SecondGenerationError
	switch {
	case errors.As(err, &second):
		i.tellSecond(second)
		return errors.New(phrase.QuotePath(second.Program) +
			": is an Amplify Gen 2 backend, which is a program and cannot be imported; what " +
			"you can do is listed above")
	case errors.Is(err, project.ErrNoProject):
		return fmt.Errorf("no Amplify CLI project in %s or in any folder above; name its folder, which contains the "+
			"folder amplify", phrase.QuotePath(filepath.ToSlash(i.folder)))
	case err != nil:
		return err
	}
	defer func() { _ = old.Close() }()
	if old.Amplify == nil {
		return fmt.Errorf("the project in %s is not an Amplify CLI project: it already has gatewright's own layout",
			phrase.QuotePath(filepath.ToSlash(old.Root)))
	}
	if i.into == "" {
		return command.Misuse("import amplify needs --into DIR; try: gatewright import amplify --into ../%s",
			model.SuggestName(filepath.Base(old.Root)+"-native", "native"))
	}
	i.old = old
	if i.into, err = realFolder(absolute(i.streams.Dir, i.into)); err != nil {
		return err
	}
	if err := i.checkPlace(); err != nil {
		return err
	}
	if err := i.readSecrets(); err != nil {
		return err
	}
	i.converted,
		err = amplifycli.Convert(old,
		amplifycli.Options{
			Name:          i.name,
			ApplicationID: cmp.Or(i.id, old.Backend.Project.ApplicationID, project.NewApplicationID()),
			Provider:      model.Provider(i.provider),
		})
	if err != nil {
		return fmt.Errorf("nothing was imported, because the old project has an error: %w", err)
	}
	return i.make()
}

// done says what the command did.
func (i *amplifyImport) done() string {
	b := i.converted.Backend
	var parts []string
	for _, of := range []struct {
		n    int
		what string
	}{
		{len(b.APIs), "API"},
		{len(b.Functions), "function"},
		{len(b.Tables), "table"},
		{len(b.Groups), "group"},
		{len(b.Triggers), "trigger"},
		{len(b.Environments), "environment"},
	} {
		if of.n > 0 {
			parts = append(parts, phrase.Count(of.n, of.what))
		}
	}
	return fmt.Sprintf("imported the project %s into %s: %s", phrase.Quote(b.Project.Name),
		phrase.QuotePath(filepath.ToSlash(i.into)), phrase.List(parts))
}

// notes are what the person does next, and what is not in the files that are listed.
func (i *amplifyImport) notes() []string {
	var notes []string
	environments := i.converted.Backend.Environments
	if len(i.secrets) > 0 {
		notes = append(notes, "the values of secrets in "+phrase.QuoteList(slices.Sorted(maps.Keys(i.secrets)))+
			" are copied to .gatewright/secrets, which is not committed")
	}
	if len(environments) > 0 {
		name := model.ShellWord(environments[0].Name)
		if model.Provider(i.provider) == model.Local {
			notes = append(notes,
				"a push of an environment runs on this machine; to deploy it to AWS: gatewright update env "+name+" --provider aws")
		}
		notes = append(notes,
			"in the account and region where the Amplify CLI deployed an environment, tables and functions already "+
				"have these names; rename the environment before a push to AWS: gatewright rename env "+name+" NEW")
	}
	return append(notes, "users and items stay where they are: the new project has new pools and tables")
}

// tellSecond says what can be done with a project of the second generation.
func (i *amplifyImport) tellSecond(second *project.SecondGenerationError) {
	notes := []string{
		"the client configuration file of what it deployed: gatewright generate outputs --app-id ID --branch BRANCH, or " +
			"--stack STACK",
	}
	for _, f := range second.Functions() {
		name := model.SuggestName(path.Base(f.Folder), "handler")
		how := "runs unmodified"
		if f.ImportsEnvironment {
			how = "runs, once it reads process.env instead of what it imports from $amplify/env"
		}
		notes = append(notes,
			fmt.Sprintf("the function in %s %s: in a project (gatewright init), run gatewright add function %s "+
				"--handler handler.handler, then copy its handler and its imports into backend/function/%s/src",
				phrase.QuotePath(f.Folder), how, model.ShellWord(name), name))
	}
	notes = append(notes,
		"define REST APIs, their access and tables again: gatewright add api, gatewright add table; "+
			"models of a GraphQL API stay with Amplify")
	command.SayNotes(i.streams.Err, notes)
}
