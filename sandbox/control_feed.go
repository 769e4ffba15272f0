package sandbox

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"gatewright/sandbox/traffic"
)

// feed answers with moments as JSON Lines, until the client or the sandbox ends.
func (c *control) feed(w http.ResponseWriter, r *http.Request) {
	after, err := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64)
	if err != nil {
		refuse(w, http.StatusBadRequest, errors.New("after is not the number of a call"))
		return
	}
	encode, flush := toLines(w)
	around := traffic.Around{Open: c.sandbox.runner.Open, Functions: c.sandbox.runner.States}
	_ = c.sandbox.traffic.Feed(r.Context(), after, around, func(m traffic.Moment) error {
		if err := encode(&m); err != nil {
			return err
		}
		return flush()
	})
}

// Feed calls use with what happens in the sandbox, as it happens, until ctx or the sandbox ends: the
// first moment has everything, and the calls that are kept after the one with a number, as Requests. A
// reader that comes again gives Moment.Last of its last moment. If use returns an error, Feed returns it.
func (c *Client) Feed(ctx context.Context, after uint64, use func(traffic.Moment) error) error {
	return fromLines(ctx, c, feedPath+"?after="+strconv.FormatUint(after, 10), "feed was", use)
}
