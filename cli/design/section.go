package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project/definition"
)

// sectionUpdate is a command that updates auth, data or storage: the definition of the user
// pool, the data API or the bucket.
type sectionUpdate struct {
	kind                     model.Kind
	fields                   []*sectionField
	unset                    []string
	triggers                 []string
	from, introspection, env string
	remove                   bool
	write                    editFlags
	guard                    command.GuardFlag
}

func newUpdateAuth(streams command.Streams) *cobra.Command {
	cmd := newSectionUpdate(streams, model.KindAuth)
	cmd.Short = "Define the user pool: sign-in, passwords, second factors"
	cmd.Long = `Define the user pool, by the fields of auth in the client configuration file. What has no flag
stays. To add a group: gatewright add group

Only a pool that exists already needs identifiers. ` + sectionHelp
	cmd.Example = command.Examples("update auth --username-attributes email",
		"update auth --password-policy-min-length 12",
		"update auth --mfa-configuration OPTIONAL --mfa-methods TOTP",
		"update auth --trigger preSignUp=checkSignUp --trigger postConfirmation=welcome",
		"update auth --unset oauth --unset password_policy.min_length")
	return cmd
}

func newUpdateData(streams command.Streams) *cobra.Command {
	cmd := newSectionUpdate(streams, model.KindData)
	cmd.Short = "Describe a data API that exists already"
	cmd.Long = `Describe a data API that exists already, by the fields of data in the client configuration file.
What has no flag stays.

` + sectionHelp
	cmd.Example = command.Examples("update data --url https://data.example.com/graphql",
		"update data --model-introspection schema.json",
		"update data --default-authorization-type API_KEY --env prod",
		"update data --env prod --url https://data.example.org/graphql --confirm prod")
	return cmd
}

func newUpdateStorage(streams command.Streams) *cobra.Command {
	cmd := newSectionUpdate(streams, model.KindStorage)
	cmd.Short = "Describe a bucket that exists already"
	cmd.Long = `Describe a bucket that exists already, by the fields of storage in the client configuration file.
What has no flag stays.

` + sectionHelp
	cmd.Example = command.Examples("update storage --bucket-name shop-uploads",
		"update storage --cloud-region eu-west-1 --dry-run --diff",
		"update storage --env prod --bucket-name shop-prod --confirm prod")
	return cmd
}

const sectionHelp = `--unset removes a field, or an object such as oauth; --from replaces all fields with a JSON object;
--remove removes the definition. Separate the items of a list with commas, or give a JSON array.`

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
		cmd.Flags().StringVar(&s.introspection, "model-introspection", "",
			"the `FILE` of the model schema; a JSON object, - is standard input")
		_ = cmd.MarkFlagFilename("model-introspection", "json")
	}
	cmd.Flags().StringArrayVar(&s.unset, "unset", nil, "remove a `FIELD`; can be repeated")
	_ = cmd.RegisterFlagCompletionFunc("unset", command.CompleteWords(names...))
	cmd.Flags().StringVar(&s.from, "from", "", "replace all fields with this JSON `FILE`; - is standard input")
	_ = cmd.MarkFlagFilename("from", "json")
	cmd.Flags().BoolVar(&s.remove, "remove", false, "remove the definition")
	if kind == model.KindAuth {
		cmd.Flags().StringArrayVar(&s.triggers, "trigger", nil,
			"a function that the user pool calls; `MOMENT=FUNCTION` such as preSignUp=check; MOMENT= "+
				"removes it; can be repeated")
		_ = cmd.RegisterFlagCompletionFunc("trigger", command.CompleteWords(momentWords()...))
	} else {
		cmd.Flags().StringVar(&s.env, "env", "", "change the environment `ENV`; not the definition")
		_ = cmd.RegisterFlagCompletionFunc("env", command.CompleteValue(streams, model.KindEnvironment))
		s.guard.Add(cmd, streams)
	}
	s.write.Add(cmd)
	return cmd
}

// check refuses flags that change nothing, or contradict each other.
func (s *sectionUpdate) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	fields := s.changesFields(cmd) || given("trigger")
	switch {
	case s.remove && fields:
		return command.Misuse("--remove removes the whole definition; leave out the other flags")
	case !s.remove && !fields:
		return noChangeGiven(cmd)
	case given("env") && s.env == "":
		return command.Misuse("--env is empty; give --env NAME")
	case s.from == "-" && s.introspection == "-":
		return command.Misuse("--from and --model-introspection cannot both read standard input")
	}
	for _, name := range s.unset {
		if fieldNamed(s.fields, name) == nil {
			return unknownField("unset", s.kind, s.fields, name)
		}
	}
	return nil
}

// changesFields reports whether a flag changes fields of the section.
func (s *sectionUpdate) changesFields(cmd *cobra.Command) bool {
	given := cmd.Flags().Changed
	return slices.ContainsFunc(s.fields, func(f *sectionField) bool { return given(f.flag()) }) || given("unset") ||
		given("from") || given("model-introspection")
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
		e.describe("updated", of)
		if s.remove {
			e.done, e.already = "removed "+of.String(), of.String()+" is removed"
			if s.kind == model.KindAuth {
				e.Triggers = nil
			}
			return definition.Define(e.Backend, s.kind, nil)
		}
		if err := setTriggers(e.Backend, s.triggers); err != nil {
			return err
		}
		if !s.changesFields(cmd) {
			return nil
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
			return &model.Problem{
				Of: of, Text: "is not defined, so there is nothing to remove",
				Fix: "see: " + cmd.CommandPath() + " --help",
			}
		}
		return from.locate(definition.Define(e.Backend, s.kind, values))
	})
}

// values returns the values of the section after the command line changed them: --from
// first, then --unset, then the flags of fields.
func (s *sectionUpdate) values(have map[string]any, from, introspection *object) (map[string]any, error) {
	values, err := model.OutputsOf(have)
	if err != nil {
		return nil, err
	}
	if from != nil {
		given := from.values
		// A definition file names its format in these members.
		delete(given, "$schema")
		delete(given, "version")
		if values, err = definition.NeutralSection(s.kind, given); err != nil {
			return nil, err
		}
	}
	for _, name := range s.unset {
		model.TakeAt(values, fieldNamed(s.fields, name).Place)
	}
	for _, f := range s.fields {
		if f.given == nil {
			continue
		}
		if given, ok := f.given.(map[string]any); ok {
			next := merged(model.ValueAt(values, f.Place), given)
			if f.given = next; len(next) == 0 {
				model.TakeAt(values, f.Place)
				continue
			}
		}
		if err := definition.Put(s.kind, values, f.Field, f.given); err != nil {
			return nil, err
		}
	}
	if introspection != nil {
		values["model_introspection"] = map[string]any(introspection.values)
	}
	return values, definition.RefuseIncomplete(s.kind, have, values,
		func(f definition.Field) string { return "--" + f.Dashed() },
		func(object string) string { return "--unset " + object })
}

// merged returns what a map has after a change of some of its members; nil removes one.
func merged(have any, given map[string]any) map[string]any {
	next, _ := model.Copied(have).(map[string]any)
	if next == nil {
		next = make(map[string]any)
	}
	for name, value := range given {
		if next[name] = value; value == nil {
			delete(next, name)
		}
	}
	return next
}
