package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model/access"
)

// holder is somebody who has rights in the account, or whom a policy names for them.
type holder struct {
	words string
	// as is whom the project takes them for; guests are those for whom it has nothing else.
	as access.Principal
	// why they have them, or doubt whether they do.
	why, doubt string
	// of is the role or user of the template whose holders they are; ofAccount is for all of
	// the account whose policies allow it.
	of string
}

const ofAccount = "*"

func stranger(words, why, doubt string) holder {
	return holder{words: words, as: access.Principal{Kind: access.Guest}, why: why, doubt: doubt}
}

// trust lists who may take a role.
func (r *reader) trust(s *stack, of *cfn.Resource) (all []holder) {
	doubt := s.sometimes(of)
	takes := func(action string) bool {
		return cfn.MatchAction(action, "sts:AssumeRole") || cfn.MatchAction("sts:AssumeRole*", action)
	}
	for _, one := range s.statements(of, of.Properties.Get("AssumeRolePolicyDocument")) {
		switch {
		case slices.ContainsFunc(one.Actions, takes) == one.NotAction && one.Effect != "*":
		case one.Effect != "Deny":
			all = append(all, r.principals(one)...)
		case everybody(one.Value) && !one.Conditional && !one.Partly:
			return nil
		default:
			doubt = "whom else it refuses"
		}
	}
	for i := range all {
		if doubt != "" && all[i].doubt == "" {
			all[i].doubt = "it depends on " + doubt
		}
	}
	return all
}

// principals lists whom a statement is about, besides services of AWS: these act for the people of the
// account who set them up.
func (r *reader) principals(s cfn.Statement) (all []holder) {
	principal, given := s.Value.Get("Principal")
	if _, others := s.Value.Get("NotPrincipal"); others {
		return []holder{stranger("anyone with an AWS account", "it names all but some (NotPrincipal)", "")}
	}
	if !given || !principal.Known() || s.Partly {
		return []holder{stranger("somebody", "", "whom it names is not known")}
	}
	kinds := principal.Members
	if principal.Kind != cfn.Map {
		kinds = []cfn.NamedValue{{Name: "AWS", Value: principal}}
	}
	for _, kind := range kinds {
		for _, text := range textsOf(kind.Value) {
			who := stranger("anyone who signs in with "+plainReference(text), "it names that provider", "")
			switch {
			case strings.HasPrefix(text, "cognito-identity"):
				all = append(all, r.tokens(s)...)
				continue
			case kind.Name == "AWS":
				who = r.inAccount(text)
			case kind.Name != "Federated" && !strings.HasPrefix(text, "rolesanywhere."):
				continue
			}
			if s.Conditional && who.doubt == "" {
				who.doubt = "it has a condition that is not read"
			}
			all = append(all, who)
		}
	}
	return all
}

// inAccount is whom the ARN of a role or a user, or an account, names.
func (r *reader) inAccount(text string) holder {
	who, fields := stranger(principalWords(text), "it names them", ""), strings.SplitN(text, ":", 6)
	name := fields[len(fields)-1]
	if strings.HasPrefix(name, "role/") {
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	switch {
	case text == "*":
		return stranger("anyone with an AWS account", "it names everybody (*)", "")
	case r.own(text):
		who = stranger("anyone in the account with a right to it", "", "it names the account, whose policies are not read")
		who.of = ofAccount
	case len(fields) == 6 && r.own(fields[4]) && r.roles[name] != nil:
		who.of = name
	case len(fields) == 6 && r.own(fields[4]):
		who.words = "the IAM " + strings.Replace(fields[5], "/", " ", 1)
	case r.open(text):
		return stranger("somebody", "", "whom it names is not known")
	}
	return who
}

// plain are the operators of conditions that hold for no token without what they ask for, as others do, such
// as those with IfExists and ForAllValues. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
var plain = strings.Fields("StringEquals StringLike ForAnyValue:StringEquals ForAnyValue:StringLike")

// tokens lists whose tokens of identity pools a statement lets in, by the pool (aud) and whether they signed
// in (amr). Where no pool has roles in the template, those that it asks for are taken as that of the project. See
// https://docs.aws.amazon.com/cognito/latest/developerguide/role-trust-and-permissions.html
func (r *reader) tokens(s cfn.Statement) (all []holder) {
	condition, _ := s.Value.Get("Condition")
	asked, doubt := make(map[string][]string), ""
	for _, operator := range condition.Members {
		for _, key := range operator.Value.Members {
			claim := strings.ToLower(key.Name[strings.LastIndexByte(key.Name, ':')+1:])
			if !slices.Contains(plain, operator.Name) || claim != "aud" && claim != "amr" {
				doubt = "its condition is not read as a whole"
				continue
			}
			asked[claim] = append(asked[claim], textsOf(key.Value)...)
		}
	}
	pools := asked["aud"]
	if len(pools) == 0 {
		pools = append([]string{"*"}, r.pools...)
	}
	for _, pool := range pools {
		for kind, claim := range []string{access.Authenticated: "authenticated", access.Guest: "unauthenticated"} {
			as := access.Principal{Kind: access.PrincipalKind(kind)}
			own := pool != "*" && (len(r.pools) == 0 || slices.Contains(r.pools, pool))
			lets := func(pattern string) bool { return cfn.MatchResource(pattern, claim) }
			none := own && as.Kind == access.Guest && r.noGuests
			if none || asked["amr"] != nil && !slices.ContainsFunc(asked["amr"], lets) {
				continue
			}
			who := holder{words: as.String(), as: as, why: "its condition lets them in", doubt: doubt}
			if !own {
				words := "the identity pool " + strings.Trim(pool, "{}")
				if pool == "*" {
					words = "any identity pool"
				}
				if who = stranger(who.words+" of "+words, who.why, doubt); r.open(pool) {
					who.doubt = "whether that is the pool of the template is not known"
				}
			}
			all = append(all, who)
		}
	}
	return all
}

// open reports whether a text has a value that only a deployment knows, and that is of no resource of
// the template: it may turn out to be anything.
func (r *reader) open(text string) bool {
	return slices.ContainsFunc(strings.Split(text, "{")[1:], func(part string) bool {
		name, _, _ := strings.Cut(part, "}")
		id, _, _ := strings.Cut(name, ".")
		return r.ids[id] == "" && !strings.HasPrefix(name, "aws ")
	})
}
