package amplify

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatewright/model"
	"gatewright/project/document"
	"gatewright/project/read"
)

// amplifyAnswers are the files that may have the answers about a user pool, the newest first.
var amplifyAnswers = []string{"cli-inputs.json", "parameters.json"}

// loadAmplifyAuth reads the user pool of the category auth, from the answers that the Amplify CLI keeps:
// cli-inputs.json, or parameters.json of older projects. What cannot be read in them stays unset.
func (p *Project) loadAmplifyAuth(base string, config *read.File) {
	for _, name := range p.authResources(base, config) {
		for _, source := range amplifyAnswers {
			f, err := read.JSON(p.FS, path.Join(base, "auth", name, source))
			if err != nil {
				continue
			}
			answers := PoolAnswers(f.Doc.Root())
			p.Backend.Auth = amplifyAuth(answers)
			p.completeAuth(path.Join(base, "auth", name), name)
			p.Backend.Triggers = p.amplifyTriggers(name, answers, config)
			if len(p.Backend.Groups) == 0 {
				p.Backend.Groups = amplifyTexts(answers, "userPoolGroupList")
			}
			return
		}
	}
}

// PoolAnswers returns the answers about a user pool in a file, which newer ones have one level deeper.
func PoolAnswers(root document.Node) document.Node {
	if inner, ok := root.Get("cognitoConfig"); ok {
		return inner
	}
	return root
}

// AuthFile returns the file with the answers about the user pool of an Amplify CLI project; "" if it has none.
func (p *Project) AuthFile() string {
	if p == nil {
		return ""
	}
	base := p.Layout.String()
	config, _ := read.JSON(p.FS, BackendConfig)
	for _, name := range p.authResources(base, config) {
		for _, source := range amplifyAnswers {
			if file := path.Join(base, "auth", name, source); read.Exists(p.FS, file) {
				return file
			}
		}
	}
	return ""
}

// SignInPages returns what the answers about the user pool say of pages to sign in, as far as a
// redirect or a grant goes; nil if there are none. The answers have it as a text with JSON
// (https://docs.amplify.aws/gen1/javascript/build-a-backend/auth/add-social-provider/).
func (p *Project) SignInPages() *model.OAuth {
	f, err := read.JSON(p.FS, p.AuthFile())
	if err != nil {
		return nil
	}
	answers := PoolAnswers(f.Doc.Root())
	metadata, ok := answers.Get("oAuthMetadata")
	var said struct{ AllowedOAuthFlows, CallbackURLs, LogoutURLs []string }
	if on, given := answers.Get("hostedUI"); !ok || given && string(on.Raw()) == "false" ||
		json.Unmarshal([]byte(metadata.Text()), &said) != nil {
		return nil
	}
	pages := &model.OAuth{RedirectSignInURI: said.CallbackURLs, RedirectSignOutURI: said.LogoutURLs, ResponseType: "code"}
	if slices.Contains(said.AllowedOAuthFlows, "implicit") {
		pages.ResponseType = "token"
	}
	return pages
}

// authResources returns the folders that may have the user pool: those that
// backend-config.json registers as Cognito, else all.
func (p *Project) authResources(base string, config *read.File) []string {
	names := slices.DeleteFunc(p.FoldersIn(path.Join(base, "auth")),
		func(name string) bool { return name == "userPoolGroups" })
	if config == nil {
		return names
	}
	registered, _ := config.Doc.Find("/auth")
	var cognito []string
	for _, name := range names {
		entry, _ := registered.Get(name)
		if service, _ := entry.Get("service"); service.Text() == "Cognito" {
			cognito = append(cognito, name)
		}
	}
	if len(cognito) == 0 {
		return names
	}
	return cognito
}

// amplifyAuth returns the user pool of the answers to `amplify add auth`
// (https://docs.amplify.aws/gen1/javascript/tools/cli/auth/). A multi-factor method or an
// attribute that the client configuration file has no word for is left out.
func amplifyAuth(answers document.Node) *model.Auth {
	both := true
	auth := &model.Auth{
		NativeClient:               &both,
		StandardRequiredAttributes: known(amplifyTexts(answers, "requiredAttributes"), model.StandardAttributes),
		UsernameAttributes:         known(amplifyTexts(answers, "usernameAttributes"), model.UsernameAttributes),
		UserVerificationTypes:      known(amplifyTexts(answers, "autoVerifiedAttributes"), []string{"email", "phone_number"}),
		PasswordPolicy:             amplifyPasswords(answers),
	}
	poolAnswers(auth, answers)
	if allowed, ok := answers.Get("allowUnauthenticatedIdentities"); ok {
		guests := allowed.Kind() == document.Bool && allowed.Bool() || allowed.Kind() == document.String &&
			allowed.Text() == "true"
		auth.UnauthenticatedIdentitiesEnabled = &guests
	}
	if selected, _ := answers.Get("authSelections"); selected.Text() == "userPoolOnly" {
		no := false
		auth.UnauthenticatedIdentitiesEnabled = &no
	}
	configuration, _ := answers.Get("mfaConfiguration")
	words := map[string]string{"OFF": "NONE", "ON": "REQUIRED", "OPTIONAL": "OPTIONAL"}
	auth.MFAConfiguration = words[configuration.Text()]
	if auth.MFAConfiguration != "" && auth.MFAConfiguration != "NONE" {
		for _, method := range amplifyTexts(answers, "mfaTypes") {
			switch {
			case strings.HasPrefix(method, "SMS"):
				auth.MFAMethods = append(auth.MFAMethods, "SMS")
			case method == "TOTP":
				auth.MFAMethods = append(auth.MFAMethods, "TOTP")
			}
		}
	}
	return auth
}

// amplifyPasswords reads the password policy; nil if none is there.
func amplifyPasswords(answers document.Node) *model.PasswordPolicy {
	length, ok := answers.Get("passwordPolicyMinLength")
	characters, also := answers.Get("passwordPolicyCharacters")
	if !ok && !also {
		return nil
	}
	policy := &model.PasswordPolicy{}
	text := length.Text()
	if length.Kind() == document.Number {
		text = string(length.Raw())
	}
	const least, most = 6, 99
	if n, err := strconv.Atoi(text); err == nil && least <= n && n <= most {
		policy.MinLength = &n
	}
	required := func(what string) *bool {
		is := false
		for _, character := range characters.Elements() {
			is = is || strings.EqualFold(character.Text(), "Requires "+what)
		}
		return &is
	}
	policy.RequireLowercase, policy.RequireUppercase = required("Lowercase"), required("Uppercase")
	policy.RequireNumbers, policy.RequireSymbols = required("Numbers"), required("Symbols")
	return policy
}

// amplifyTexts reads a list of texts, which older projects also write as one text with
// commas. Nothing occurs twice in it.
func amplifyTexts(from document.Node, name string) []string {
	node, _ := from.Get(name)
	var texts []string
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if node.Kind() == document.String {
		for text := range strings.SplitSeq(node.Text(), ",") {
			add(text)
		}
	}
	for _, item := range node.Elements() {
		for text := range strings.SplitSeq(item.Text(), ",") {
			add(text)
		}
	}
	return texts
}

// known returns the texts that are among the allowed ones.
func known(texts, allowed []string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return !slices.Contains(allowed, text) })
}
