package account

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/config"
)

// Profiles returns the sorted names of the profiles in the user's files of the AWS command line, for completion. They
// belong into no log, report or file of the project. Missing files have none.
func Profiles() ([]string, error) {
	env, err := config.NewEnvConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the variables of AWS: %w", err)
	}
	return profilesOf(env)
}

// profilesOf returns the profiles in the files that variables name.
func profilesOf(env config.EnvConfig) ([]string, error) {
	configFile, credentialsFile := sharedFiles(env)
	names, err := sections(configFile)
	if err != nil {
		return nil, err
	}
	var profiles []string
	for _, section := range names {
		// Other sections of this file are not profiles
		// (https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html).
		name, prefixed := strings.CutPrefix(section, "profile ")
		if prefixed || section == config.DefaultSharedConfigProfile {
			profiles = append(profiles, strings.TrimSpace(name))
		}
	}
	if names, err = sections(credentialsFile); err != nil {
		return nil, err
	}
	profiles = append(profiles, names...)
	slices.Sort(profiles)
	return slices.Compact(profiles), nil
}

// sections returns the names of the sections of a file, none if there is no file.
func sections(file string) ([]string, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the profiles of AWS: %w", err)
	}
	defer func() { _ = f.Close() }()
	var names []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		rest, begins := strings.CutPrefix(lines.Text(), "[")
		if name, _, ends := strings.Cut(rest, "]"); begins && ends {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names, nil
}
