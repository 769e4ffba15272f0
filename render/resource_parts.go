package render

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/model"
)

func (w *writer) accessList(list []model.ResourceAccess) {
	w.token(jsontext.BeginArray)
	for _, a := range list {
		w.begin()
		w.text("resource", a.Resource)
		w.actions("actions", a.Actions)
		w.end()
	}
	w.token(jsontext.EndArray)
}

func (w *writer) keys(partition, sort model.Key) {
	w.tableKey("partitionKey", partition)
	if sort.Name != "" {
		w.tableKey("sortKey", sort)
	}
}

func (w *writer) tableKey(name string, k model.Key) {
	w.beginAt(name)
	w.text("name", k.Name)
	w.text("type", string(k.Type))
	w.end()
}

func (w *writer) indexes(indexes []model.Index) {
	if len(indexes) == 0 {
		return
	}
	w.key("indexes")
	w.token(jsontext.BeginArray)
	for _, index := range indexes {
		w.begin()
		w.text("name", index.Name)
		w.keys(index.PartitionKey, index.SortKey)
		w.end()
	}
	w.token(jsontext.EndArray)
}

func (w *writer) streamTriggers(list []model.StreamTrigger) {
	if len(list) == 0 {
		return
	}
	w.key("triggers")
	w.token(jsontext.BeginArray)
	for _, t := range list {
		w.begin()
		w.text("function", t.Function)
		w.optionalText("startingPosition", t.From)
		w.optionalNumber("batchSize", t.BatchSize)
		w.optionalNumber("batchWindow", t.BatchWindow)
		w.optionalNumber("attempts", t.Attempts)
		w.optionalTrue("bisectOnError", t.Bisect)
		w.optionalTrue("reportBatchItemFailures", t.ReportFailures)
		w.end()
	}
	w.token(jsontext.EndArray)
}

// definition writes the fields of a section's definition in the order of model.ClientFile.
func (w *writer) definition(section string, definition any) {
	values, err := model.OutputsOf(definition)
	if err != nil {
		w.failed = cmp.Or(w.failed, err)
		return
	}
	f, _ := model.ClientFile.Field(section)
	w.memberList(values, f.Fields)
}
