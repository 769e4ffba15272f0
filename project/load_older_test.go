package project_test

import (
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

func TestTheTablesOfOlderAmplifyProjectsAreFound(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	put(t, fsys, "amplify/backend/storage/mails/parameters.json", `{"tableName": "Mails", "partitionKeyName": "id", "partitionKeyType": "S", "sortKeyName": "sent", "sortKeyType": "N"}`)
	put(t, fsys, "amplify/backend/storage/mails/storage-params.json", `{}`)
	put(t, fsys, "amplify/backend/storage/words/storage-params.json", `{"partitionKey": {"fieldName": "word", "fieldType": "String"}}`)
	put(t, fsys, "amplify/backend/storage/files/parameters.json", `{"bucketName": "files"}`)
	b := load(t, fsys, project.Amplify).Backend
	if len(b.Tables) != 2 {
		t.Fatalf("there are %d tables", len(b.Tables))
	}
	mails := model.Table{Name: "mails", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, SortKey: model.Key{Name: "sent", Type: model.NumberKey}}
	if b.Tables[0].Name != mails.Name || b.Tables[0].PartitionKey != mails.PartitionKey || b.Tables[0].SortKey != mails.SortKey {
		t.Errorf("the table is %+v", *b.Tables[0])
	}
	if key := b.Table("words").PartitionKey; key != (model.Key{Name: "word", Type: model.StringKey}) || b.Table("words").HasSortKey() {
		t.Errorf("the key is %+v", key)
	}
}

func TestUnknownWordsInAnOlderFileGrantNothing(t *testing.T) {
	t.Parallel()
	api, problems, err := plan.ReadAPI("api-params.json", "old", []byte(`{"paths": [{"name": "/a", "lambdaFunction": "f", "privacy": {"private": true, "auth": "w"}}]}`))
	must(t, err)
	if actions, ok := api.Paths[0].Access.Grant(access.Principal{Kind: access.Authenticated}); !ok || actions != 0 {
		t.Errorf("access is %+v", api.Paths[0].Access)
	}
	if want := "warning: api-params.json:1:79: is not \"r\", \"rw\" or a list of methods, so it grants nothing (at /paths/0/privacy/auth); write \"r\", \"rw\" or a list such as [\"/GET\"]\n"; lines(problems) != want {
		t.Errorf("problems are %s", lines(problems))
	}
}

func TestAnOlderFileWithoutPathsIsAnError(t *testing.T) {
	t.Parallel()
	_, _, err := plan.ReadAPI("api-params.json", "old", []byte(`{"paths": []}`))
	if want := "api-params.json:1:2: has no paths (at /paths); add one, or remove the file, which the Amplify CLI refuses"; err == nil || err.Error() != want {
		t.Errorf("the error is %v", err)
	}
}
