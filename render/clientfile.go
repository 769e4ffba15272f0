package render

import "gatewright/model"

// AmplifySchemaID is the `$schema` of the client configuration file in the
// words of the public client libraries.
const AmplifySchemaID = "https://amplify.aws/2024-02/outputs-schema.json"

// ClientFileName is the name of the client configuration file in a dialect.
func ClientFileName(dialect model.Dialect) string {
	return ClientFileNameIn(dialect, JSON)
}

// ClientFile renders the client configuration file: sections and fields in the
// order of the specification, in the words of the dialect.
func ClientFile(content model.ClientFileContent, dialect model.Dialect, form Form) []byte {
	values := Translate(content.Values, model.Neutral, dialect)
	w := newWriter(form)
	w.begin()
	if _, given := values["$schema"]; form != Part && !given {
		id := SchemaID("client-config")
		if dialect == model.Amplify {
			id = AmplifySchemaID
		}
		w.text("$schema", id)
	}
	w.memberList(values, translatedFields(model.ClientFile.Fields, "", dialect))
	return w.bytes()
}

// translatedFields is the order of fields with the keys of a dialect.
func translatedFields(fields []model.Field, pointer string, dialect model.Dialect) []model.Field {
	if dialect == model.Neutral {
		return fields
	}
	next := make([]model.Field, len(fields))
	for i, f := range fields {
		if f.Type == model.ObjectField {
			f.Fields = translatedFields(f.Fields, pointer+"/"+f.Name, dialect)
		}
		f.Name = translateKey(pointer, f.Name, model.Neutral, dialect)
		next[i] = f
	}
	return next
}
