package status

import (
	"maps"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/project"
)

// restSection is the section of the client configuration file that holds the endpoints of the REST APIs.
const restSection = "custom"

// waiting returns the missing fields of the client configuration file, by section, given
// the outputs of the deployment.
func waiting(p *project.Project, s Status) (map[string][]string, error) {
	var outputs model.Outputs
	if s.Deployed != nil {
		outputs = s.Deployed.Outputs
	}
	content, err := clientfile.Of(p.Backend, s.Environment, outputs)
	if err != nil {
		// An output may contradict the last push and agree with the next one.
		content, err = clientfile.Of(p.Backend, s.Environment, nil)
	}
	if err != nil {
		return nil, err
	}
	waiting := make(map[string][]string)
	maps.Copy(waiting, content.Waiting)
	here := p.Backend.For(s.Environment)
	const auth = string(model.KindAuth)
	if here.UsesUserPool() && content.Values[auth] == nil && waiting[auth] == nil {
		section, _ := model.ClientFile.Field(auth)
		for _, field := range section.Fields {
			if field.Required {
				waiting[auth] = append(waiting[auth], field.Name)
			}
		}
	}
	section, _ := content.Values[restSection].(map[string]any)
	endpoints, _ := section["API"].(map[string]any)
	for _, api := range here.APIs {
		if endpoints[api.Label] == nil {
			waiting[restSection] = append(waiting[restSection], "API."+api.Label)
		}
	}
	return waiting, nil
}

// GivenByPush reports whether a push fills the missing fields of a section: the ids
// of the user pool, and the endpoints. People define the fields of other sections.
func (s Status) GivenByPush(section string) bool {
	return section == restSection || section == string(model.KindAuth) && s.Changed()
}
