package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"gatewright/internal/file"
	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// profilesFile has the AWS profiles that are used on this machine: a JSON object of
// environments and names of profiles. They say how somebody's machine is set up, and so
// they are in no file of the project itself, and only the user may read them.
var profilesFile = journal.State[2]

// Profile returns the AWS profile that is kept on this machine for an environment; ""
// for none. It belongs into no log or report. A file that cannot be read has none.
func (p *Project) Profile(env string) string {
	profiles, _, err := p.Profiles()
	if err != nil {
		return ""
	}
	return profiles[env]
}

// SetProfile keeps the AWS profile of an environment on this machine; "" removes it.
func (p *Project) SetProfile(env, profile string) error {
	if err := p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: env}); err != nil {
		return err
	}
	profiles, old, err := p.Profiles()
	if err != nil {
		return err
	}
	if profiles[env] == profile {
		return nil
	}
	profiles[env] = profile
	if profile == "" {
		delete(profiles, env)
	}
	change, err := ProfilesChange(profiles, old)
	if err != nil {
		return err
	}
	return journal.Commit(p.FS, []journal.Change{change})
}

// Profiles returns the kept profiles by environment, and the bytes of the file, nil if there is none.
func (p *Project) Profiles() (map[string]string, []byte, error) {
	profiles := make(map[string]string)
	text, err := read.Bytes(p.FS, profilesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return profiles, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if json.Unmarshal(text, &profiles) != nil || profiles == nil {
		return nil, nil,
			&read.Problem{
				File: profilesFile, Text: "is not a JSON object of strings",
				Fix: "remove it, and choose the profiles again",
			}
	}
	return profiles, text, nil
}

// ProfilesChange is the change of the file of profiles that writes these.
func ProfilesChange(profiles map[string]string, old []byte) (journal.Change, error) {
	text, err := json.MarshalIndent(profiles, "", "  ")
	if err != nil {
		return journal.Change{}, fmt.Errorf("writing %s: %w", profilesFile, err)
	}
	return journal.Change{Path: profilesFile, Existed: old != nil, Old: old, New: append(text, '\n'), Mode: file.Private},
		nil
}
