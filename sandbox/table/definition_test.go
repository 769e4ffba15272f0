package table

import (
	"fmt"
	"strings"
	"testing"
)

// Definitions of the tables below.
const (
	attributesOf = ",`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`},{`AttributeName`:`b`,`AttributeType`:`N`},{`AttributeName`:`c`,`AttributeType`:`B`}]"
	keyOfTwo     = ",`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`},{`AttributeName`:`b`,`KeyType`:`RANGE`}]"
	unitsOf      = ",`ProvisionedThroughput`:{`ReadCapacityUnits`:1,`WriteCapacityUnits`:2}"
)

// indexOf is an index with a name and key; more are further members.
func indexOf(name, more string, key ...string) string {
	text := "{`IndexName`:`" + name + "`,`Projection`:{`ProjectionType`:`ALL`}" + more + ",`KeySchema`:[{`AttributeName`:`" + key[0] + "`,`KeyType`:`HASH`}"
	if len(key) > 1 {
		text += ",{`AttributeName`:`" + key[1] + "`,`KeyType`:`RANGE`}"
	}
	return text + "]}"
}

func TestDefinitionsThatContradictThemselvesAreRefused(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	const invalid, limit = "One or more parameter values were invalid: ", "LimitExceededException "
	many := func(n int, key ...string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = indexOf(fmt.Sprintf("by%02d", i), "", key...)
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	create := func(billing, rest string) string {
		return "{`TableName`:`fresh`,`BillingMode`:`" + billing + "`" + rest + "}"
	}
	onDemand := func(rest string) string { return create("PAY_PER_REQUEST", attributesOf+keyOfTwo+rest) }
	alter := func(rest string) string { return "{`TableName`:`indexed`" + rest + "}" }
	updates := func(list ...string) string {
		return alter(",`GlobalSecondaryIndexUpdates`:[" + strings.Join(list, ",") + "]")
	}
	for _, row := range []struct{ operation, request, want string }{
		{"CreateTable", onDemand(unitsOf), invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"CreateTable", create("PROVISIONED", attributesOf+keyOfTwo), invalid + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{"CreateTable", onDemand(""), invalid + "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"},
		{"CreateTable", onDemand(",`LocalSecondaryIndexes`:[]"), invalid + "List of LocalSecondaryIndexes is empty"},
		{"CreateTable", onDemand(",`GlobalSecondaryIndexes`:[]"), invalid + "List of GlobalSecondaryIndexes is empty"},
		{"CreateTable", onDemand(",`LocalSecondaryIndexes`:[" + indexOf("xyz", "", "a") + "]"), invalid + "Index KeySchema does not have a range key for index: xyz"},
		{"CreateTable", onDemand(",`LocalSecondaryIndexes`:[" + indexOf("xyz", "", "c", "b") + "]"), invalid + "Index KeySchema does not have the same leading hash key as table KeySchema for index: xyz. index hash key: c, table hash key: a"},
		{"CreateTable", onDemand(",`LocalSecondaryIndexes`:" + many(6, "a", "c")), invalid + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"},
		{"CreateTable", onDemand(",`GlobalSecondaryIndexes`:" + many(21, "c")), invalid + "GlobalSecondaryIndex count exceeds the per-table limit of 20"},
		{"CreateTable", onDemand(",`GlobalSecondaryIndexes`:[" + indexOf("xyz", unitsOf, "c") + "]"), invalid + "ProvisionedThroughput should not be specified for index: xyz when BillingMode is PAY_PER_REQUEST"},
		{"CreateTable", onDemand(",`GlobalSecondaryIndexes`:[" + indexOf("xyz", "", "c") + "," + indexOf("xyz", "", "b") + "]"), invalid + "Duplicate index name: xyz"},
		{"CreateTable", onDemand(",`LocalSecondaryIndexes`:[" + indexOf("xyz", "", "a", "c") + "],`GlobalSecondaryIndexes`:[" + indexOf("xyz", "", "b") + "]"), invalid + "Duplicate index name: xyz"},
		{
			"CreateTable", create("PAY_PER_REQUEST", ",`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`}]"+keyOfTwo), "Invalid KeySchema: Some index key attribute have no definition",
		},
		{
			"CreateTable", create("PAY_PER_REQUEST", ",`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`}],`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`}],`LocalSecondaryIndexes`:["+indexOf("xyz", "", "a", "a")+"]"),
			invalid + "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
		},
		{"UpdateTable", alter(""), "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required"},
		{"UpdateTable", alter(",`BillingMode`:`PROVISIONED`"), invalid + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
		{"UpdateTable", alter(",`BillingMode`:`PAY_PER_REQUEST`" + unitsOf), invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"UpdateTable", alter(",`ProvisionedThroughput`:{`ReadCapacityUnits`:5,`WriteCapacityUnits`:6}"), "The provisioned throughput for the table will not change. The requested value equals the current value. " +
			"Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 6. Requested WriteCapacityUnits: 6. " +
			"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."},
		{"UpdateTable", updates("{}"), invalid + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"},
		{"UpdateTable", updates("{`Delete`:{`IndexName`:`byG`}}", "{`Delete`:{`IndexName`:`byG`}}"), invalid + "Only one global secondary index update per index is allowed simultaneously. Index: byG"},
		{"UpdateTable", updates("{`Delete`:{`IndexName`:`byG`}}", "{`Delete`:{`IndexName`:`byGL`}}"), limit + "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"},
		{"UpdateTable", updates("{`Delete`:{`IndexName`:`none`}}"), "ResourceNotFoundException Requested resource not found"},
		{"UpdateTable", updates("{`Update`:{`IndexName`:`none`" + unitsOf + "}}"), "ResourceNotFoundException Requested resource not found"},
		{"UpdateTable", updates("{`Create`:" + indexOf("byL", "", "g") + "}"), "Attempting to create an index which already exists"},
		{"UpdateTable", alter(",`AttributeDefinitions`:[{`AttributeName`:`l`,`AttributeType`:`N`}],`GlobalSecondaryIndexUpdates`:[{`Create`:" + indexOf("new", "", "l") + "}]"), invalid + "Attribute l is defined as S and cannot become N"},
		{"DescribeContinuousBackups", "{`TableName`:`none`}", "TableNotFoundException Table not found: none"},
	} {
		e := refused(t, s, row.operation, row.request)
		if got := strings.TrimPrefix(e.Code+" "+e.Message, "ValidationException "); got != row.want {
			t.Errorf("%s %s\n got %s\nwant %s", row.operation, row.request, got, row.want)
		}
	}
	// What was refused changed nothing.
	mustBe(t, do(t, s, "ListTables", "{}"), "{`TableNames`:[`indexed`,`plain`]}")
}

// A limit is the last number that is accepted.
func TestATableHasAsManyIndexesAsTheServiceAllows(t *testing.T) {
	t.Parallel()
	s := openStore(t, Options{})
	var global, local []string
	for i := range mostGlobalIndexes {
		global = append(global, indexOf(fmt.Sprintf("g%02d", i), "", "c"))
	}
	for i := range mostLocalIndexes {
		local = append(local, indexOf(fmt.Sprintf("l%02d", i), "", "a", "c"))
	}
	do(t, s, "CreateTable", "{`TableName`:`full`,`BillingMode`:`PAY_PER_REQUEST`"+attributesOf+keyOfTwo+",`LocalSecondaryIndexes`:["+strings.Join(local, ",")+"],`GlobalSecondaryIndexes`:["+strings.Join(global, ",")+"]}")
	e := refused(t, s, "UpdateTable", "{`TableName`:`full`,`GlobalSecondaryIndexUpdates`:[{`Create`:"+indexOf("more", "", "c")+"}]}")
	if e.Code != "LimitExceededException" || e.Message != "Subscriber limit exceeded: GlobalSecondaryIndex count exceeds the per-table limit of 20" {
		t.Errorf("one more: %v", e)
	}
}

func TestTheCapacityOfATableFollowsItsBilling(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	look := func(what, want string) {
		t.Helper()
		table := do(t, s, "DescribeTable", "{`TableName`:`indexed`}")["Table"].(map[string]any)
		mode := "PROVISIONED"
		if summary, ok := table["BillingModeSummary"].(map[string]any); ok {
			mode = fmt.Sprint(summary["BillingMode"])
		}
		units := func(of any) string {
			p, _ := of.(map[string]any)["ProvisionedThroughput"].(map[string]any)
			return fmt.Sprint(p["ReadCapacityUnits"], "/", p["WriteCapacityUnits"])
		}
		got := mode + " " + units(table)
		for _, x := range table["GlobalSecondaryIndexes"].([]any) {
			got += " " + fmt.Sprint(x.(map[string]any)["IndexName"]) + " " + units(x)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	alter := func(rest string) { do(t, s, "UpdateTable", "{`TableName`:`indexed`"+rest+"}") }
	look("as made", "PROVISIONED 5/6 byG 0/0 byGL 0/0")
	alter(unitsOf)
	look("other units", "PROVISIONED 1/2 byG 0/0 byGL 0/0")
	alter(",`GlobalSecondaryIndexUpdates`:[{`Update`:{`IndexName`:`byG`,`ProvisionedThroughput`:{`ReadCapacityUnits`:3,`WriteCapacityUnits`:4}}}]")
	look("other units of an index", "PROVISIONED 1/2 byG 3/4 byGL 0/0")
	alter(",`BillingMode`:`PAY_PER_REQUEST`")
	look("on demand", "PAY_PER_REQUEST 0/0 byG 0/0 byGL 0/0")
	alter(",`BillingMode`:`PROVISIONED`,`ProvisionedThroughput`:{`ReadCapacityUnits`:7,`WriteCapacityUnits`:8}")
	look("provisioned again", "PROVISIONED 7/8 byG 0/0 byGL 0/0")
}

func TestWhatOnlyReadersAskForIsAnswered(t *testing.T) {
	t.Parallel()
	s := openStore(t, Options{})
	s.Situate(func(string) (string, string) { return "eu-west-1", "" })
	do(t, s, "CreateTable", plainTable)
	mustBe(t, do(t, s, "DescribeLimits", "{}"), "{`AccountMaxReadCapacityUnits`:80000,`AccountMaxWriteCapacityUnits`:80000,`TableMaxReadCapacityUnits`:40000,`TableMaxWriteCapacityUnits`:40000}")
	mustBe(t, do(t, s, "DescribeEndpoints", "{}"), "{`Endpoints`:[{`Address`:`dynamodb.eu-west-1.amazonaws.com`,`CachePeriodInMinutes`:1440}]}")
	mustBe(t, do(t, s, "DescribeContinuousBackups", "{`TableName`:`plain`}"),
		"{`ContinuousBackupsDescription`:{`ContinuousBackupsStatus`:`ENABLED`,`PointInTimeRecoveryDescription`:{`PointInTimeRecoveryStatus`:`DISABLED`}}}")
}

func TestNumbersAndFlagsAreTakenAsTheServiceTakesThem(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	for n := range 4 {
		do(t, s, "PutItem", fmt.Sprintf("{`TableName`:`plain`,`Item`:{`id`:{`S`:`%d`}}}", n))
	}
	for limit, want := range map[string]string{
		"2": "2", "2.9": "2", "3e0": "3", "null": "4",
		"1e300": "NUMBER_VALUE cannot be converted to Integer", "`2`": "STRING_VALUE cannot be converted to Integer",
		"true": "TRUE_VALUE cannot be converted to Integer", "{}": "Start of structure or map found where not expected", "[]": "Unrecognized collection type class java.lang.Integer",
	} {
		output, err := s.Do(t.Context(), "Scan", input(t, "{`TableName`:`plain`,`Limit`:"+limit+"}"))
		got := ""
		if err == nil {
			got = fmt.Sprint(decode(t, output)["Count"])
		} else {
			got = refused(t, s, "Scan", "{`TableName`:`plain`,`Limit`:"+limit+"}").Message
		}
		if got != want {
			t.Errorf("a limit of %s: %s, want %s", limit, got, want)
		}
	}
}
