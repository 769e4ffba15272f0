package design

import (
	"gatewright/flow/resource"
	"gatewright/model"
	"gatewright/model/edit"
)

// setTriggers sets and removes triggers of the user pool, each MOMENT=FUNCTION or MOMENT=.
func setTriggers(b *model.Backend, texts []string) error {
	for _, text := range texts {
		trigger, err := resource.ParseTrigger(text)
		if err != nil {
			return misuse("trigger", err)
		}
		if trigger.Function == "" && b.TriggerAt(trigger.At) == "" {
			return noSuchValue("trigger", string(trigger.At), triggerNames(b))
		}
		if err := edit.SetTrigger(b, trigger.At, trigger.Function); err != nil {
			return err
		}
	}
	return nil
}

func triggerNames(b *model.Backend) []string {
	var names []string
	for _, t := range b.Triggers {
		names = append(names, string(t.At))
	}
	return names
}

// momentWords are the beginnings of the values of --trigger.
func momentWords() []string {
	words := make([]string, len(model.Moments))
	for i, at := range model.Moments {
		words[i] = string(at) + "="
	}
	return words
}
