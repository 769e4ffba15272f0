package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"gatewright/sandbox/traffic"
)

// Feed calls use with what happens in the sandbox, as it happens, until ctx or the sandbox ends: the
// first moment has everything, and the calls that are kept after the one with a number, as Requests. A
// reader that comes again gives Moment.Last of its last moment. If use returns an error, Feed returns it.
func (c *Client) Feed(ctx context.Context, after uint64, use func(traffic.Moment) error) error {
	response, err := c.send(ctx, http.MethodGet, feedPath+"?after="+strconv.FormatUint(after, 10), nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	for lines := json.NewDecoder(response.Body); ; {
		var m traffic.Moment
		switch err := lines.Decode(&m); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("the sandbox ended while its feed was read: %w", err)
		}
		if err := use(m); err != nil {
			return err
		}
	}
}
