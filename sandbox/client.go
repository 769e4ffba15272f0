package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
)

// Client talks to the sandbox that owns a state folder.
type Client struct {
	run  state.Run
	http *http.Client
}

// Status describes a running sandbox.
type Status struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	Address string    `json:"address"`
	// Environment is the environment that is served from its present definition; the
	// others are served as they were pushed. It is "" while nothing is served.
	Environment string      `json:"environment"`
	APIs        []ServedAPI `json:"apis"`
	// TableEndpoint is the endpoint of the tables.
	TableEndpoint string       `json:"tableEndpoint"`
	Pools         []ServedPool `json:"pools"`
	// Preparing are the functions whose calls wait for packages or a program.
	Preparing []Preparing `json:"preparing"`
}

// ServedAPI is an API of a running sandbox. Endpoint has no trailing slash.
type ServedAPI struct {
	Environment string `json:"environment"`
	Label       string `json:"label"`
	ID          string `json:"id"`
	Endpoint    string `json:"endpoint"`
	// Region is the region in the signatures of requests to the API.
	Region string `json:"region"`
}

// Connect finds the sandbox that owns a state folder. The error matches ErrNotRunning if
// none does, even if a killed sandbox left files.
func Connect(state string) (*Client, error) {
	const timeout = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return connect(ctx, state)
}

// connect is Connect with the time that the sandbox has for its answer.
func connect(ctx context.Context, folder string) (*Client, error) {
	r, err := state.ReadRun(folder)
	if err != nil {
		// What is used without a sandbox must not block either.
		if err := state.CheckFiles(folder); err != nil {
			return nil, err
		}
	}
	if errors.Is(err, os.ErrNotExist) || err != nil && !state.IsOwned(folder) {
		return nil, ErrNotRunning
	}
	if err != nil {
		return nil, err
	}
	// The client connects to loopback only, whatever run.json says, and uses no proxy.
	dialer := &net.Dialer{}
	c := &Client{run: r, http: &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				host, _, err := net.SplitHostPort(address)
				if err != nil || host != loopback {
					return nil, fmt.Errorf("%s is not an address of this machine", phrase.Quote(address))
				}
				return dialer.DialContext(ctx, network, address)
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	status, err := c.Status(ctx)
	if err == nil && status.PID == r.PID && status.Started.Equal(r.Started) {
		return c, nil
	}
	c.http.CloseIdleConnections()
	if !state.IsOwned(folder) {
		return nil, ErrNotRunning
	}
	return nil, fmt.Errorf("the sandbox (process %d) does not answer; end it with: %s", r.PID, state.EndCommand(r.PID))
}

// Address is the base address of the APIs, such as http://127.0.0.1:4280.
func (c *Client) Address() string { return c.run.Address }

// Status asks the sandbox what it serves.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var status Status
	return status, c.ask(ctx, http.MethodGet, statusPath, nil, &status)
}

// Logs calls use for each line that matches a query, oldest first, and with follow also
// for new lines until ctx or the sandbox ends. If use returns an error, Logs returns it.
func (c *Client) Logs(ctx context.Context, q logs.Query, follow bool, use func(logs.Line) error) error {
	form := url.Values{
		"environment": {q.Environment}, "function": {q.Function}, "request": {q.Request},
		"last": {strconv.Itoa(q.Last)},
	}
	form["functions"] = q.Functions
	if !q.Since.IsZero() {
		form.Set("since", q.Since.Format(time.RFC3339Nano))
	}
	if follow {
		form.Set("follow", "true")
	}
	if q.Notable {
		form.Set("notable", "true")
	}
	if q.Each > 0 {
		form.Set("each", strconv.Itoa(q.Each))
	}
	return fromLines(ctx, c, logsPath+"?"+form.Encode(), "logs were", use)
}

// fromLines calls use with each value of an answer in JSON Lines, until ctx or the sandbox ends. what says what
// they are. If use returns an error, it returns that.
func fromLines[Value any](ctx context.Context, c *Client, path, what string, use func(Value) error) error {
	response, err := c.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	for lines := json.NewDecoder(response.Body); ; {
		var v Value
		switch err := lines.Decode(&v); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			// A killed sandbox may stop in the middle of a line.
			return fmt.Errorf("the sandbox ended while its %s read: %w", what, err)
		}
		if err := use(v); err != nil {
			return err
		}
	}
}

// Test runs the test of the API Gateway console (gateway.Gateway.Test).
func (c *Client) Test(ctx context.Context, r gateway.Request) (gateway.Test, error) {
	var result gateway.Test
	return result, c.ask(ctx, http.MethodPost, testPath, r, &result)
}

// Refresh makes the sandbox read the project again if its files changed, which it does by itself
// within a second. The error is the reason why it goes on with what it served before.
func (c *Client) Refresh(ctx context.Context) error {
	return c.ask(ctx, http.MethodPost, refreshPath, nil, nil)
}

// Stop asks the sandbox to end, and does not wait for that.
func (c *Client) Stop(ctx context.Context) error {
	return c.ask(ctx, http.MethodPost, stopPath, nil, nil)
}

// ask sends value and reads the answer into another value; both may be nil.
func (c *Client) ask(ctx context.Context, method, path string, value, into any) error {
	response, err := c.send(ctx, method, path, value)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		return fmt.Errorf("asking the sandbox: its response cannot be read:  %w", err)
	}
	return nil
}

// send sends a request and returns its answer, or an error for any status but 200.
func (c *Client) send(ctx context.Context, method, path string, value any) (*http.Response, error) {
	var body io.Reader
	if value != nil {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("asking the sandbox: %w", err)
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.run.Control+path, body)
	if err != nil {
		return nil, fmt.Errorf("asking the sandbox: %w", err)
	}
	request.Header.Set(tokenHeader, c.run.Token)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("asking the sandbox: %w", err)
	}
	if response.StatusCode == http.StatusOK {
		return response, nil
	}
	defer func() { _ = response.Body.Close() }()
	var refused failure
	const maxRefusal = 64 << 10
	if json.NewDecoder(io.LimitReader(response.Body, maxRefusal)).Decode(&refused) != nil || refused.Error == "" {
		return nil, fmt.Errorf("asking the sandbox: it returned %s", response.Status)
	}
	return nil, errors.New(refused.Error)
}
