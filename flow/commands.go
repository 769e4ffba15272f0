package flow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gatewright/flow/resource"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/field"
)

// Commands returns the command lines that make the same in another project, as it was when the run began: its groups,
// tables and functions, then the API and its paths. What somebody else made since is made too if the paths need it.
func (f *Flow) Commands() []string {
	next, err := f.Backend()
	if err != nil {
		return nil
	}
	var lines []string
	add := func(words ...string) {
		for i, word := range words {
			words[i] = model.ShellWord(word)
		}
		lines = append(lines, "gatewright "+strings.Join(words, " "))
	}
	if flags := poolFlags(cmp.Or(f.begun.Auth, f.Base.Auth), next.Auth); flags != nil {
		add(append([]string{"update", "auth"}, flags...)...)
	}
	made, groups, functions, tables := f.made(), []string(nil), []string(nil), []string(nil)
	for _, p := range f.paths() {
		path := next.API(f.Label()).Path(p.Path)
		made, functions = append(made, path.Access.Groups()...), append(functions, path.Function)
	}
	for _, group := range next.Groups {
		isNew := !slices.Contains(f.begun.Groups, group)
		if isNew && slices.Contains(made, group) {
			add("add", "group", group)
		}
		if !isNew || slices.Contains(made, group) {
			groups = append(groups, group)
		}
	}
	if len(f.Base.Groups) > 0 && !slices.Equal(next.Groups, append(slices.Clone(f.Base.Groups), f.made()...)) {
		add("update", "group", "--order", strings.Join(groups, ","))
	}
	functions = slices.DeleteFunc(next.Names(model.KindFunction), func(name string) bool {
		return f.begun.Function(name) != nil || f.Base.Function(name) != nil && !slices.Contains(functions, name)
	})
	for _, name := range functions {
		tables = append(tables, next.Function(name).Table)
	}
	for _, table := range next.Tables {
		if f.begun.Table(table.Name) == nil && (f.Base.Table(table.Name) == nil || slices.Contains(tables, table.Name)) {
			add(append([]string{"add", "table", table.Name}, keyFlags(table)...)...)
		}
	}
	for _, name := range functions {
		add(append([]string{"add", "function", name}, functionFlags(next.Function(name))...)...)
	}
	if f.Task.API == "" {
		for i, p := range f.paths() {
			flags := pathFlags(next.API(f.Label()).Path(p.Path))
			if i == 0 {
				if types := f.binaryMediaTypes(); len(types) > 0 {
					flags = append(flags, "--binary-media-types", strings.Join(types, ","))
				}
				add(append([]string{"add", "api", f.Label(), "--path", p.Path}, flags...)...)
			} else {
				add(append([]string{"add", "path", f.Label(), p.Path}, flags...)...)
			}
		}
	} else {
		for _, p := range f.paths() {
			path := next.API(f.Task.API).Path(p.Path)
			var was *access.Path
			if api := f.begun.API(f.Task.API); api != nil {
				was = api.Path(cmp.Or(f.Task.Path, p.Path))
			}
			if was == nil {
				add(append([]string{"add", "path", f.Task.API, p.Path}, pathFlags(path)...)...)
				continue
			}
			if p.Path != was.Name {
				add("rename", "path", f.Task.API, was.Name, p.Path)
			}
			flags := append(pathFlags(path), removedFlags(was.Access, path.Access)...)
			add(append([]string{"update", "path", f.Task.API, p.Path}, flags...)...)
		}
	}
	for _, env := range next.Environments {
		if f.Base.Environment(env.Name) == nil && env.Name != model.FirstEnvironment {
			add("add", "env", env.Name)
		}
	}
	return lines
}

// poolFlags are the flags that define the user pool as the wizard does, or that let guests
// in; nil if it stays as it is.
func poolFlags(was, now *model.Auth) []string {
	switch {
	case now == nil, was != nil && (was.GuestsEnabled() || !now.GuestsEnabled()):
		return nil
	case was != nil:
		return []string{"--unauthenticated-identities-enabled"}
	}
	flags := []string{
		"--username-attributes", strings.Join(now.UsernameAttributes, ","), "--user-verification-types",
		strings.Join(now.UserVerificationTypes, ","),
		"--mfa-configuration", now.MFAConfiguration,
		"--unauthenticated-identities-enabled=" + strconv.FormatBool(now.GuestsEnabled()),
	}
	if policy := now.PasswordPolicy; policy != nil {
		flags = append(flags, "--password-policy-min-length", strconv.Itoa(*policy.MinLength),
			"--password-policy-require-numbers",
			"--password-policy-require-lowercase", "--password-policy-require-uppercase", "--password-policy-require-symbols")
	}
	return flags
}

func keyFlags(t *model.Table) []string { return fieldFlags(t, "partitionKey", "sortKey") }

func functionFlags(fn *model.Function) []string {
	flags := []string{"--runtime", string(fn.Runtime), "--template", string(fn.Template)}
	flags = append(flags, fieldFlags(fn, "table", "functionName", "timeout", "memory", "schedule", "layers", "environment",
		"secrets", "policies")...)
	for _, access := range fn.Access {
		flags = append(flags, "--access", access.Resource+"="+actionList(access.Actions))
	}
	return flags
}

// fieldFlags are the flags of fields that are not empty.
func fieldFlags(of field.Object, names ...string) []string {
	var flags []string
	for _, name := range names {
		row := field.Of(of, name)
		for _, line := range resource.Lines(row.Value) {
			flags = append(flags, "--"+row.Flag, line)
		}
	}
	return flags
}

// pathFlags are the flags that give a path its function and its access.
func pathFlags(p *access.Path) []string {
	flags := []string{"--function", p.Function}
	if p.Access.Setting == access.Open {
		return append(flags, "--open")
	}
	for _, g := range p.Access.Grants {
		switch {
		case g.To.Kind == access.Authenticated:
			flags = append(flags, "--auth", actionList(g.Actions))
		case g.To.Kind == access.Group:
			flags = append(flags, "--group", g.To.Group+"="+actionList(g.Actions))
		case p.Access.Setting == access.Protected:
			flags = append(flags, "--guest", actionList(g.Actions))
		}
	}
	return flags
}

// removedFlags are the flags that remove the entries which a path had and has no longer.
func removedFlags(was, now access.Access) []string {
	var flags []string
	if now.Setting == access.Open {
		return nil
	}
	for _, g := range was.Grants {
		if _, left := now.Grant(g.To); left || was.Setting == access.Open {
			continue
		}
		switch g.To.Kind {
		case access.Authenticated:
			flags = append(flags, "--no-auth")
		case access.Guest:
			flags = append(flags, "--no-guest")
		case access.Group:
			flags = append(flags, "--no-group", g.To.Group)
		}
	}
	return flags
}

// actionList writes actions as a flag takes them.
func actionList(actions access.Actions) string {
	if actions&access.EveryAction == access.EveryAction {
		return "all"
	}
	words := make([]string, 0, len(access.AllActions))
	for _, a := range actions.List() {
		words = append(words, a.String())
	}
	return strings.Join(slices.Clip(words), ",")
}
