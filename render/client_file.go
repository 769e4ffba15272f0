package render

import (
	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/schemas"
)

// AmplifySchemaID is the `$schema` of the client configuration file in the amplify dialect.
const AmplifySchemaID = "https://amplify.aws/2024-02/outputs-schema.json"

// ClientFileName returns the name of the client configuration file in a dialect.
func ClientFileName(dialect model.Dialect) string {
	return ClientFileNameIn(dialect, JSON)
}

// ClientFile renders the client configuration file in a dialect, with sections and fields in
// the order of model.ClientFile.
func ClientFile(content clientfile.Content, dialect model.Dialect, form Form) []byte {
	values := Translate(content.Values, model.Neutral, dialect)
	w := newWriter(form)
	w.begin()
	if _, given := values["$schema"]; form != Part && !given {
		id := schemas.ID("client-config")
		if dialect == model.Amplify {
			id = AmplifySchemaID
		}
		w.text("$schema", id)
	}
	w.memberList(values, translatedFields(model.ClientFile.Fields, "", dialect))
	return w.bytes()
}

// translatedFields returns fields with their names in a dialect, in the same order.
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
