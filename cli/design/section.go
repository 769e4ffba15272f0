package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project/definition"
)

// sectionUpdate is a command that updates the definition behind a section of the
// client configuration file: of the user pool, the data API or the bucket.
type sectionUpdate struct {
	kind                     model.Kind
	fields                   []*sectionField
	unset                    []string
	from, introspection, env string
	remove                   bool
	write                    editFlags
	guard                    command.GuardFlag
}

func newUpdateAuth(streams command.Streams) *cobra.Command {
	cmd := newSectionUpdate(streams, model.KindAuth)
	cmd.Short = "Define the user pool: sign-in, passwords, second factors"
	cmd.Long = "Define the user pool, by the fields of the client configuration file's auth. What no flag names stays. Identifiers are\n" +
		"given only for a pool that exists already. Groups are added with gatewright add group.\n" + sectionHelp
	cmd.Example = "  gatewright update auth --username-attributes email --password-policy-min-length 12 --password-policy-require-numbers\n" +
		"  gatewright update auth --mfa-configuration OPTIONAL --mfa-methods TOTP --unauthenticated-identities-enabled=false\n" +
		"  gatewright update auth --unset oauth --unset password_policy.min_length"
	return cmd
}

func newUpdateData(streams command.Streams) *cobra.Command {
	cmd := newSectionUpdate(streams, model.KindData)
	cmd.Short = "Describe a data API that exists already"
	cmd.Long = "Describe a data API that exists already, by the fields of the client configuration file's data. What no flag names stays.\n" + sectionHelp
	cmd.Example = "  gatewright update data --cloud-region eu-west-1 --url https://data.example.com/graphql --default-authorization-type IDENTITY_USER_POOLS --authorization-types IDENTITY_USER_POOLS\n" +
		"  gatewright update data --model-introspection schema.json\n" +
		"  gatewright update data --env prod --url https://data.example.org/graphql --confirm prod"
	return cmd
}

func newUpdateStorage(streams command.Streams) *cobra.Command {
	cmd := newSectionUpdate(streams, model.KindStorage)
	cmd.Short = "Describe a bucket that exists already"
	cmd.Long = "Describe a bucket that exists already, by the fields of the client configuration file's storage. What no flag names stays.\n" + sectionHelp
	cmd.Example = "  gatewright update storage --cloud-region eu-west-1 --bucket-name shop-uploads\n" +
		"  gatewright update storage --env prod --bucket-name shop-uploads-prod --confirm prod"
	return cmd
}

const sectionHelp = "--unset takes a field away, or a whole object such as oauth; --from replaces all by a JSON object of the section;\n" +
	"--remove takes the definition away. Lists have commas between their items, or are JSON arrays."

func newSectionUpdate(streams command.Streams, kind model.Kind) *cobra.Command {
	s := &sectionUpdate{kind: kind, fields: sectionFields(kind)}
	cmd := &cobra.Command{
		Use:  string(kind),
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd, streams) },
	}
	cmd.Flags().SortFlags = false
	var names []string
	for _, f := range s.fields {
		names = append(names, f.name())
		if f.Leaf() {
			f.addTo(cmd)
		}
	}
	if kind == model.KindData {
		cmd.Flags().StringVar(&s.introspection, "model-introspection", "", "the `FILE` of the model schema, a JSON object; - is standard input")
		_ = cmd.MarkFlagFilename("model-introspection", "json")
	}
	cmd.Flags().StringArrayVar(&s.unset, "unset", nil, "take a `FIELD` away; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("unset", command.CompleteWords(names...))
	cmd.Flags().StringVar(&s.from, "from", "", "the `FILE` of a JSON object that replaces all; - is standard input")
	_ = cmd.MarkFlagFilename("from", "json")
	cmd.Flags().BoolVar(&s.remove, "remove", false, "take the definition away")
	if kind != model.KindAuth {
		cmd.Flags().StringVar(&s.env, "env", "", "what the environment `ENV` says otherwise, instead of the definition")
		_ = cmd.RegisterFlagCompletionFunc("env", command.CompleteValue(streams, model.KindEnvironment))
		s.guard.Add(cmd)
	}
	s.write.Add(cmd)
	return cmd
}

// check refuses a command line that says nothing, or too much.
func (s *sectionUpdate) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	fields := slices.ContainsFunc(s.fields, func(f *sectionField) bool { return given(f.flag()) }) || given("unset") || given("from")
	switch {
	case s.remove && fields:
		return command.Misuse("--remove takes the whole definition away; leave out the other flags")
	case !s.remove && !fields:
		return nothingGiven(cmd)
	case given("env") && s.env == "":
		return command.Misuse("--env is empty; name an environment")
	case s.from == "-" && s.introspection == "-":
		return command.Misuse("--from and --model-introspection cannot both read standard input")
	}
	for _, name := range s.unset {
		if fieldCalled(s.fields, name) == nil {
			return unknownField("unset", s.kind, s.fields, name)
		}
	}
	return nil
}

func (s *sectionUpdate) run(cmd *cobra.Command, streams command.Streams) error {
	if err := s.check(cmd); err != nil {
		return err
	}
	var from, introspection *object
	for _, file := range []struct {
		name string
		into **object
	}{{s.from, &from}, {s.introspection, &introspection}} {
		if file.name == "" {
			continue
		}
		var err error
		if *file.into, err = readObject(file.name, streams); err != nil {
			return err
		}
	}
	return s.write.change(streams, func(e *editing) error {
		of := model.Ref{Kind: s.kind}
		if s.env != "" {
			return s.override(e, from, introspection)
		}
		e.said("updated", of)
		if s.remove {
			e.done, e.same = "removed "+of.String(), of.String()+" is gone"
			return definition.Define(e.Backend, s.kind, nil)
		}
		have, err := definition.Of(e.Backend, s.kind, "")
		if err != nil {
			return err
		}
		values, err := s.values(have, from, introspection)
		if err != nil {
			return from.locate(err)
		}
		if len(values) == 0 && len(have) == 0 && from == nil {
			return &model.Problem{Of: of, Text: "is not defined, so there is nothing to take away", Fix: "see: " + cmd.CommandPath() + " --help"}
		}
		return from.locate(definition.Define(e.Backend, s.kind, values))
	})
}

// values are those of the section as the command line changes them: replaced by
// a file, less what is unset, with what the flags say.
func (s *sectionUpdate) values(have map[string]any, from, introspection *object) (map[string]any, error) {
	values, err := model.OutputsOf(have)
	if err != nil {
		return nil, err
	}
	if from != nil {
		given := from.values
		// What names the file's form in a project's own file is none of the fields.
		delete(given, "$schema")
		delete(given, "version")
		if values, err = definition.NeutralSection(s.kind, given); err != nil {
			return nil, err
		}
	}
	for _, name := range s.unset {
		model.TakeAt(values, fieldCalled(s.fields, name).Place)
	}
	for _, f := range s.fields {
		if f.given == nil {
			continue
		}
		if err := definition.Put(s.kind, values, f.Field, f.given); err != nil {
			return nil, err
		}
	}
	if introspection != nil {
		values["model_introspection"] = map[string]any(introspection.values)
	}
	return values, refuseLacking(s.kind, definition.Lacking(plain(s.fields), have), definition.Lacking(plain(s.fields), values))
}
