package schemas

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/qri-io/jsonschema"
)

// engineLock is held whenever the engine runs: it has global tables, and it changes a schema while it validates.
var engineLock sync.Mutex

// engine judges one value at a time by one schema.
type engine struct {
	schema *jsonschema.Schema
}

func newEngine(text []byte) (e *engine, err error) {
	engineLock.Lock()
	defer engineLock.Unlock()
	defer func() {
		if failure := recover(); failure != nil {
			e, err = nil, fmt.Errorf("compile schema: the engine failed: %v", failure)
		}
	}()
	e = &engine{schema: new(jsonschema.Schema)}
	if err := json.Unmarshal(text, e.schema); err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return e, nil
}

// objection returns why the engine refuses a value, "" when it accepts it. A value for which
// the engine panics is refused.
func (e *engine) objection(value any) (objection string) {
	engineLock.Lock()
	defer engineLock.Unlock()
	defer func() {
		if failure := recover(); failure != nil {
			objection = fmt.Sprintf("the validator failed: %v", failure)
		}
	}()
	// The order of the errors is random; the smallest message is always the same.
	for _, err := range *e.schema.Validate(context.Background(), value).Errs {
		if objection == "" || err.Message < objection {
			objection = err.Message
		}
	}
	return objection
}
