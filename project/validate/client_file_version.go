package validate

import (
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/document"
	"gatewright/project/read"
	"gatewright/render"
	"gatewright/schemas"
)

// laterSchemas is the prefix of the schemas' names of the public versions after 1,
// which only the amplify dialect has.
const laterSchemas = "client-config-amplify-"

func isClientSchema(name string) bool {
	return strings.HasPrefix(name, "client-config") && slices.Contains(schemas.Names(), name)
}

func dialectOfSchema(name string) model.Dialect {
	if strings.HasPrefix(name, project.ClientSchema(model.Amplify)) {
		return model.Amplify
	}
	return model.Neutral
}

// clientVersions returns the versions of the client configuration file in a dialect, oldest first. Each has a schema.
func clientVersions(dialect model.Dialect) []string {
	versions := []string{model.ClientFileVersion}
	if dialect != model.Amplify {
		return versions
	}
	for _, name := range schemas.Names() {
		if version, ok := strings.CutPrefix(name, laterSchemas); ok {
			versions = append(versions, version)
		}
	}
	return versions
}

// versionSchema names the schema of a client configuration file by the version that
// it declares. A file of an unknown version is not checked any further.
func versionSchema(f *read.File, dialect model.Dialect) (string, *read.Problem) {
	if root := f.Doc.Root(); root.Kind() != document.Object {
		return "", f.Problem(model.Error, "", "write an object", "expected an object, found %s", read.KindOf(root))
	}
	version, declared := f.Doc.Root().Get("version")
	known := clientVersions(dialect)
	if slices.Contains(known, version.Text()) {
		if version.Text() == model.ClientFileVersion {
			return project.ClientSchema(dialect), nil
		}
		return laterSchemas + version.Text(), nil
	}
	fix := "write one of these strings: " + strings.Join(known, ", ")
	switch later := slices.Contains(clientVersions(model.Amplify), version.Text()); {
	case len(known) == 1 && later:
		fix = "write \"" + known[0] + "\": only the dialect amplify has later versions"
	case len(known) == 1:
		fix = "write \"" + known[0] + "\", the only version in the dialect neutral"
	}
	if other := otherConfiguration(f.Doc.Root()); !declared && other != "" {
		return "", f.Problem(model.Error, "/version", "generate a client configuration file, or give this one another name",
			"has no version: %s", other)
	}
	if !declared {
		return "", f.Problem(model.Error, "/version", fix, "has no version")
	}
	if version.Kind() != document.String {
		return "", f.Problem(model.Error, "/version", fix, "expected a version in quotes, found %s", foundVersion(version))
	}
	return "", f.Problem(model.Error, "/version", fix,
		"is version %s of the client configuration file, which does not exist in the dialect "+
			"%s", phrase.Quote(version.Text()),
		dialect)
}

// otherConfiguration describes a file without a version that may be one of the other
// two formats that Amplify.configure reads; "" if it is neither.
func otherConfiguration(root document.Node) string {
	for name := range root.Members() {
		switch {
		case strings.HasPrefix(name, "aws_"):
			return phrase.Quote(name) + " belongs to the older configuration file of the Amplify CLI"
		case slices.Contains([]string{"API", "Auth", "Storage", "Analytics", "Geo", "Notifications"}, name):
			return phrase.Quote(name) + " belongs to the object that client code passes to Amplify.configure"
		}
	}
	return ""
}

func foundVersion(n document.Node) string {
	if n.Kind() == document.Number {
		return "the number " + phrase.Quote(string(n.Raw()))
	}
	return read.KindOf(n)
}

// declaredSchema names the schema in a file's $schema: the identifier of a schema, the public identifier, or for a
// client configuration file the address of a copy. It is "" for any other text.
func declaredSchema(root document.Node) string {
	declared, _ := root.Get("$schema")
	id := strings.TrimSuffix(declared.Text(), "#")
	for _, name := range schemas.Names() {
		if id == schemas.ID(name) {
			return name
		}
	}
	if isPublicID(id) {
		return project.ClientSchema(model.Amplify)
	}
	copied, isFile := strings.CutSuffix(path.Base(id), ".json")
	copied = strings.TrimSuffix(copied, ".schema")
	if version, ok := strings.CutPrefix(copied, "schema_v"); ok && version != model.ClientFileVersion {
		copied = laterSchemas + version
	} else if ok {
		copied = project.ClientSchema(model.Amplify)
	}
	if isFile && isClientSchema(copied) {
		return copied
	}
	return ""
}

// isPublicID reports whether an address is the identifier that all public versions of the schema share.
func isPublicID(id string) bool {
	without := func(address string) string {
		_, rest, _ := strings.Cut(address, "://")
		return rest
	}
	return without(strings.TrimSuffix(id, "#")) == without(render.AmplifySchemaID)
}

// clientFileSchema names the schema of a client configuration file, whose dialect is known from its $schema, else
// from its fields' names, else from its name, else from its version: only the amplify dialect has versions other than
// 1. A file with fields of both dialects is an error.
func clientFileSchema(f *read.File) (string, *read.Problem) {
	if declared := declaredSchema(f.Doc.Root()); isClientSchema(declared) {
		return versionSchema(f, dialectOfSchema(declared))
	}
	neutral, amplify, err := wordsOf(f)
	version, _ := f.Doc.Root().Get("version")
	dialect := model.Neutral
	switch name := path.Base(f.Path); {
	case err != nil:
		return "", f.Problem(model.Error, "", "write JSON values", "%s", err)
	case neutral != "" && amplify != "":
		return "", f.Problem(model.Error, amplify, "use one dialect",
			"has fields of two dialects: %s is amplify, %s is neutral", amplify, neutral)
	case neutral != "":
	case amplify != "", name == render.ClientFileName(model.Amplify):
		dialect = model.Amplify
	case name != render.ClientFileName(model.Neutral) && version.Kind() == document.String &&
		version.Text() != model.ClientFileVersion:
		dialect = model.Amplify
	}
	return versionSchema(f, dialect)
}

// hasPublicWords reports whether a file has fields of the amplify dialect, which makes
// it a client configuration file even without a version.
func hasPublicWords(f *read.File) bool {
	_, amplify, err := wordsOf(f)
	return err == nil && amplify != ""
}

// wordsOf finds the pointers of the first field that only the neutral dialect has and
// of the first that only the amplify dialect has; "" if there is none.
func wordsOf(f *read.File) (neutral, amplify string, err error) {
	values, err := model.ParseOutputs(f.Doc.Root().Raw())
	if err != nil {
		return "", "", err
	}
	neutral, amplify = render.DialectWords(values)
	return neutral, amplify, nil
}
