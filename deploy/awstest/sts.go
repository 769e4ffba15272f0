package awstest

import (
	"cmp"
	"net/http"
	"strings"
	"time"
)

// assumed are credentials that AssumeRole gave.
type assumed struct{ secret, token, account, arn string }

func isAccount(key string) bool {
	return len(key) == 12 && strings.Trim(key, "0123456789") == ""
}

func (s *Server) accountOf(key string) string {
	if a, ok := s.keys[key]; ok {
		return a.account
	}
	if isAccount(key) {
		return key
	}
	return s.options.Account
}

func (s *Server) sts(r *request) (answer, *fault) {
	switch r.Action {
	case "GetCallerIdentity":
		arn, user := s.options.CallerARN, "AIDAAWSTESTUSER00000"
		if a, ok := s.keys[r.AccessKey]; ok {
			arn, user = a.arn, "AROAAWSTESTROLE00000:session"
		} else if r.Account != s.options.Account {
			arn = "arn:aws:iam::" + r.Account + ":user/tester"
		}
		return result(r, tx("Arn", arn)+tx("UserId", user)+tx("Account", r.Account))
	case "AssumeRole", "AssumeRoleWithWebIdentity":
		return s.assumeRole(r)
	}
	return answer{},
		&fault{http.StatusBadRequest, "InvalidAction", "Could not find operation " + r.Action + " for version 2011-06-15"}
}

// Lend has AssumeRole give credentials for so long, instead of an hour.
func (s *Server) Lend(lasting time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lasting = lasting
}

// assumeRole gives credentials for an hour of the fake's real time, in the role's account.
func (s *Server) assumeRole(r *request) (answer, *fault) {
	parts := strings.Split(r.get("RoleArn"), ":")
	if len(parts) != 6 || !isAccount(parts[4]) || !strings.HasPrefix(parts[5], "role/") {
		return answer{}, invalid(r.get("RoleArn") + " is invalid")
	}
	s.tokens++
	name := parts[5][strings.LastIndex(parts[5], "/")+1:]
	key := "ASIA" + padded(s.tokens, 16)
	a := assumed{
		secret: "assumed-secret-" + padded(s.tokens, 8), token: "assumed-token-" + padded(s.tokens, 8), account: parts[4],
		arn: "arn:aws:sts::" + parts[4] + ":assumed-role/" + name + "/" + r.get("RoleSessionName"),
	}
	s.keys[key] = a
	return result(r, el("Credentials", tx("AccessKeyId", key)+tx("SecretAccessKey", a.secret)+tx("SessionToken", a.token)+
		at("Expiration", time.Now().Add(cmp.Or(s.lasting, time.Hour))))+
		el("AssumedRoleUser", tx("Arn", a.arn)+tx("AssumedRoleId", "AROAAWSTESTROLE00000:"+r.get("RoleSessionName"))))
}
