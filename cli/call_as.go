package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	poolwire "gatewright/sandbox/identity/wire"
	"gatewright/sandbox/signature"
)

// gatewayService is what requests to APIs are signed for.
const gatewayService = "execute-api"

// checkAs refuses what does not go with --as.
func (x *calling) checkAs() error {
	switch {
	case x.as == "":
		return misuse("--as is empty; give guest, group:NAME, or the name of a user")
	case x.as == authenticatedWord:
		return misuse("--as %s is nobody in particular; give guest, group:NAME, or the name of a user", authenticatedWord)
	case x.test:
		return misuse("--test asks as nobody: the gateway's console refuses no one; leave out --as")
	}
	for _, text := range x.headers {
		name, _, _ := strings.Cut(text, ":")
		for _, own := range []string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token"} {
			if strings.EqualFold(strings.TrimSpace(name), own) {
				return misuse("--as makes the header %s; leave out one of them", own)
			}
		}
	}
	return nil
}

// signer signs requests as --as says, with credentials that the sandbox gives.
func (x *calling) signer(p *project.Project, e *model.Environment, client *sandbox.Client, api sandbox.ServedAPI) (func(*http.Request, []byte) error, error) {
	w, err := parseWho(x.as, p.Backend)
	if err != nil {
		return nil, err
	}
	if len(w.groups) > 1 {
		return nil, misuse("--as takes one group; who is a member of several acts as the first of them, which is %s", model.Quote(firstIn(everyGroup(p.Backend), w.groups)))
	}
	ctx := context.Background()
	asked := identitypool.Who{Guest: !w.signedIn, User: w.user}
	if len(w.groups) > 0 {
		asked.Group = w.groups[0]
	}
	given, err := client.Credentials(ctx, e.Name, asked)
	if err != nil {
		return nil, x.explainAs(p, e, w, err)
	}
	credentials := signature.Credentials{AccessKeyID: given.AccessKeyID, SecretKey: given.SecretKey, SessionToken: given.SessionToken}
	return func(r *http.Request, body []byte) error {
		// Neither the pool nor the working tree may be of the region that the API is of.
		sign(r, body, credentials, api.Region)
		return nil
	}, nil
}

// explainAs says why nobody gets credentials as WHO.
func (x *calling) explainAs(p *project.Project, e *model.Environment, w who, err error) error {
	users := &users{streams: x.streams, env: x.env, others: true}
	var refused *poolwire.Error
	if of := users.of(p, e); of != nil || !errors.As(err, &refused) {
		return cmp.Or(of, err)
	}
	switch {
	case w.user != "" && refused.Code == notFoundCode:
		// Who may have been meant is known to the pool.
		return users.hold(p, e, func() error { return users.notFound(w.user) })
	case w.user != "":
		return users.explain(w.user, err)
	case !w.signedIn && !users.pool.GuestsEnabled():
		return errors.New("guests get no identity while unauthenticated_identities_enabled is false; let them in with: gatewright update auth --unauthenticated-identities-enabled")
	}
	return fmt.Errorf("%s gets no credentials: %s", model.Quote(x.as), refused.Message)
}

// firstIn is the first of an order that is among some.
func firstIn(order, some []string) string {
	for _, name := range order {
		if slices.Contains(some, name) {
			return name
		}
	}
	return ""
}

// sign signs a request, its path as it is written, with the headers that it has but
// those that it has more than once: the signature of two would be that of one with
// both values.
func sign(r *http.Request, body []byte, c signature.Credentials, region string) {
	signed := signature.Request{Method: r.Method, Target: r.URL.RequestURI(), Host: r.Host, Body: body, AsWritten: true}
	times := make(map[string]int)
	for name, values := range r.Header {
		times[strings.ToLower(name)] += len(values)
	}
	var unsigned []http1.Field
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		// The host is said apart.
		if strings.EqualFold(name, "Host") {
			continue
		}
		to := &signed.Fields
		if times[strings.ToLower(name)] > 1 {
			to = &unsigned
		}
		for _, value := range r.Header[name] {
			*to = append(*to, http1.Field{Name: name, Value: value})
		}
	}
	signature.Sign(&signed, c, region, gatewayService, time.Now())
	headers := make(http.Header)
	for _, f := range append(signed.Fields, unsigned...) {
		headers[f.Name] = append(headers[f.Name], f.Value)
	}
	r.Header = headers
}
