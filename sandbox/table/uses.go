package table

import (
	"cmp"
	"strings"

	"gatewright/sandbox/table/partiql"
	"gatewright/sandbox/table/request"
)

// Use is what a request does with one table. Operation is the action of policies that it needs:
// PutItem for a Put in a transaction, PartiQLInsert for an INSERT. Table is "" for an operation that is
// not about a table, and Index for one that is not about an index. A Table may be an ARN, as it was asked for.
type Use struct{ Operation, Table, Index string }

// Uses returns what an operation does with tables, so that a caller can decide whether it is
// allowed. It reads the input as Do reads it: what one of them ignores, the other ignores
// too. The error is about an input that Do refuses too, without an effect.
func Uses(operation string, input []byte) (uses []Use, err error) {
	m, err := request.Parse(input, request.Whole)
	if err != nil {
		return nil, err
	}
	switch operation {
	case "BatchGetItem", "BatchWriteItem", WriteMany:
		items, err := m.Object("RequestItems", request.MapOf(""))
		if err != nil {
			return nil, err
		}
		for _, e := range items {
			uses = append(uses, Use{operation, e.Name, ""})
		}
	case "TransactGetItems", "TransactWriteItems":
		uses, err = usesOfActions(m)
	case "ExecuteStatement":
		uses, err = usesOfStatement(m)
	case "BatchExecuteStatement":
		uses, err = usesOfStatements(m, "Statements")
	case "ExecuteTransaction":
		uses, err = usesOfStatements(m, "TransactStatements")
	default:
		uses, err = usesOfTable(m, operation)
	}
	if len(uses) == 0 && err == nil {
		return []Use{{Operation: operation}}, nil
	}
	return uses, err
}

// naming are the members that name what an operation is about, of those where that is not TableName.
var naming = map[string]string{
	"TagResource": "ResourceArn", "UntagResource": "ResourceArn", "ListTagsOfResource": "ResourceArn",
	"DescribeStream": "StreamArn", "GetShardIterator": "StreamArn", "GetRecords": "ShardIterator",
}

// usesOfTable returns the use of the table, or of what belongs to one, that an operation names.
func usesOfTable(m request.Members, operation string) ([]Use, error) {
	name, err := m.Text(cmp.Or(naming[operation], "TableName"))
	if err != nil {
		return nil, err
	}
	use := Use{Operation: operation}
	// An iterator begins with the ARN of its stream.
	use.Table, _, _ = strings.Cut(request.OrEmpty(name), "|")
	if operation == "Query" || operation == "Scan" {
		index, err := m.Text("IndexName")
		if err != nil {
			return nil, err
		}
		use.Index = request.OrEmpty(index)
	}
	return []Use{use}, nil
}

// usesOfActions returns the uses of the actions of a transaction.
func usesOfActions(m request.Members) (all []Use, err error) {
	list, err := m.List("TransactItems")
	if err != nil {
		return nil, err
	}
	for _, v := range list {
		actions, err := request.Parse(v, request.ElementOf("TransactItem"))
		if err != nil {
			return nil, err
		}
		for _, e := range actions {
			operation := e.Name + "Item"
			switch e.Name {
			case "ConditionCheck", "Get", "Put", "Update", "Delete":
			default:
				continue
			}
			action, err := request.Parse(e.Value, request.StructureOf(e.Name))
			if err != nil {
				return nil, err
			}
			uses, err := usesOfTable(action, operation)
			if err != nil {
				return nil, err
			}
			all = append(all, uses...)
		}
	}
	return all, nil
}

// usesOfStatements returns the uses of a list of PartiQL statements. One that cannot be read
// has none: it has an error of its own, and the others may still be executed.
func usesOfStatements(m request.Members, member string) (all []Use, err error) {
	list, err := m.List(member)
	if err != nil {
		return nil, err
	}
	for _, v := range list {
		e, err := request.Parse(v, request.ElementOf("BatchStatementRequest"))
		if err != nil {
			return nil, err
		}
		if uses, err := usesOfStatement(e); err == nil {
			all = append(all, uses...)
		}
	}
	return all, nil
}

// statementOperations are the actions of policies that statements need, see
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-iam.html
var statementOperations = map[string]string{
	"SELECT": "PartiQLSelect", "INSERT": "PartiQLInsert", "UPDATE": "PartiQLUpdate", "DELETE": "PartiQLDelete",
}

// usesOfStatement returns the use of a PartiQL statement, also if there is a mistake after
// its table. A statement with an unknown verb is an operation that nobody may do.
func usesOfStatement(m request.Members) ([]Use, error) {
	text, err := m.Text("Statement")
	if err != nil {
		return nil, err
	}
	parameters, err := m.List("Parameters")
	if err != nil {
		return nil, err
	}
	st, err := partiql.Parse(request.OrEmpty(text), parameters)
	if st == nil || st.Verb != "" && st.Table == "" {
		return nil, err
	}
	return []Use{{statementOperations[st.Verb], st.Table, st.Index}}, nil
}
