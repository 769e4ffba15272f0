package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"gatewright/sandbox/traffic"
)

// requests answers with calls as JSON Lines, the oldest first; with follow=true those that
// come later follow until the client or the sandbox ends.
func (c *control) requests(w http.ResponseWriter, r *http.Request) {
	form := r.URL.Query()
	q := traffic.Query{Environment: form.Get("environment")}
	after, err := strconv.ParseUint(form.Get("after"), 10, 64)
	if err != nil {
		refuse(w, http.StatusBadRequest, errors.New("after is not the number of a call"))
		return
	}
	if q.After, q.Last, err = after, 0, nil; form.Get("last") != "" {
		q.Last, err = strconv.Atoi(form.Get("last"))
	}
	if err != nil || q.Last < 0 {
		refuse(w, http.StatusBadRequest, errors.New("last is not a number of calls"))
		return
	}
	encode, flush := toLines(w)
	send := func(calls []traffic.Call) error {
		for i := range calls {
			if err := encode(&calls[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if form.Get("follow") != "true" {
		_ = send(c.sandbox.traffic.Calls(q))
		return
	}
	_ = c.sandbox.traffic.Follow(r.Context(), q, func(calls []traffic.Call) error {
		if err := send(calls); err != nil {
			return err
		}
		return flush()
	})
}

// request answers with what is remembered of one call.
func (c *control) request(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.ParseUint(r.URL.Query().Get("number"), 10, 64)
	if err != nil {
		refuse(w, http.StatusBadRequest, errors.New("number is not the number of a call"))
		return
	}
	d, kept := c.sandbox.traffic.Detail(number)
	if !kept {
		refuse(w, http.StatusNotFound,
			fmt.Errorf("call %d is no longer kept: the sandbox keeps the last %d", number, traffic.MostCalls))
		return
	}
	answer(w, http.StatusOK, d)
}

// traffic answers with what was counted in a window.
func (c *control) traffic(w http.ResponseWriter, r *http.Request) {
	window := traffic.Window(r.URL.Query().Get("window"))
	if !window.Valid() {
		refuse(w, http.StatusBadRequest, errors.New("window is not 5m, 1h or all"))
		return
	}
	answer(w, http.StatusOK, c.sandbox.traffic.Report(window, time.Now()))
}

// Requests calls use with the calls that the sandbox keeps and that match, the oldest first, and with follow
// also with those that come later, until ctx or the sandbox ends. A gap in their numbers means that calls
// were lost, since more came than are kept. If use returns an error, Requests returns it.
func (c *Client) Requests(ctx context.Context, q traffic.Query, follow bool, use func(traffic.Call) error) error {
	form := url.Values{"environment": {q.Environment}, "after": {strconv.FormatUint(q.After, 10)}}
	if q.Last > 0 {
		form.Set("last", strconv.Itoa(q.Last))
	}
	if follow {
		form.Set("follow", "true")
	}
	return fromLines(ctx, c, requestsPath+"?"+form.Encode(), "requests were", use)
}

// Request is what the sandbox remembers of one call; the error says if it is no longer kept.
func (c *Client) Request(ctx context.Context, number uint64) (traffic.Detail, error) {
	var d traffic.Detail
	return d, c.ask(ctx, http.MethodGet, requestPath+"?number="+strconv.FormatUint(number, 10), nil, &d)
}

// Traffic is what the sandbox counted in a window.
func (c *Client) Traffic(ctx context.Context, w traffic.Window) (traffic.Report, error) {
	var r traffic.Report
	return r, c.ask(ctx, http.MethodGet, trafficPath+"?window="+url.QueryEscape(string(w)), nil, &r)
}
