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

	"gatewright/model"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/logs"
)

// Client talks to the sandbox that owns a state folder.
type Client struct {
	run  run
	http *http.Client
}

// Status is what a running sandbox says of itself.
type Status struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	Address string    `json:"address"`
	// Environment is the one that is served as its definition is now, others as
	// they were pushed; "" while nothing is served.
	Environment string      `json:"environment"`
	APIs        []ServedAPI `json:"apis"`
	// TableEndpoint is where tables are reached.
	TableEndpoint string       `json:"tableEndpoint"`
	Pools         []ServedPool `json:"pools"`
}

// ServedAPI is an API as a running sandbox serves it. Endpoint is without a
// trailing slash.
type ServedAPI struct {
	Environment string `json:"environment"`
	Label       string `json:"label"`
	ID          string `json:"id"`
	Endpoint    string `json:"endpoint"`
	// Region is what requests to it are signed for.
	Region string `json:"region"`
}

// Connect finds the sandbox that owns a state folder. The error matches
// ErrNotRunning where there is none, whatever a killed one left behind.
func Connect(state string) (*Client, error) {
	r, err := readRun(state)
	if errors.Is(err, os.ErrNotExist) || err != nil && !isOwned(state) {
		return nil, ErrNotRunning
	}
	if err != nil {
		return nil, err
	}
	// Nothing but loopback is asked, whatever the file says, and no proxy.
	dialer := &net.Dialer{}
	c := &Client{run: r, http: &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				host, _, err := net.SplitHostPort(address)
				if err != nil || host != loopback {
					return nil, fmt.Errorf("%s is not of this machine", model.Quote(address))
				}
				return dialer.DialContext(ctx, network, address)
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	status, err := c.Status(ctx)
	if err == nil && status.PID == r.PID && status.Started.Equal(r.Started) {
		return c, nil
	}
	c.http.CloseIdleConnections()
	if !isOwned(state) {
		return nil, ErrNotRunning
	}
	return nil, fmt.Errorf("the sandbox, process %d, does not answer; end it with: kill %d", r.PID, r.PID)
}

// Address is where the APIs answer: "http://127.0.0.1:4280".
func (c *Client) Address() string { return c.run.Address }

// Status asks what is served.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var status Status
	return status, c.ask(ctx, http.MethodGet, statusPath, nil, &status)
}

// Logs gives the lines that the query asks for, oldest first; with follow also
// those that come, until ctx or the sandbox ends. An error of use ends it and is
// returned.
func (c *Client) Logs(ctx context.Context, q logs.Query, follow bool, use func(logs.Line) error) error {
	form := url.Values{"environment": {q.Environment}, "function": {q.Function}, "request": {q.Request}, "last": {strconv.Itoa(q.Last)}}
	if follow {
		form.Set("follow", "true")
	}
	response, err := c.send(ctx, http.MethodGet, logsPath+"?"+form.Encode(), nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	for lines := json.NewDecoder(response.Body); ; {
		var l logs.Line
		switch err := lines.Decode(&l); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			// A sandbox that is killed ends in the middle of a line.
			return fmt.Errorf("the sandbox ended while its logs were read: %w", err)
		}
		if err := use(l); err != nil {
			return err
		}
	}
}

// Test sends a request as the console's test does (gateway.Test).
func (c *Client) Test(ctx context.Context, r gateway.Request) (gateway.Test, error) {
	var result gateway.Test
	return result, c.ask(ctx, http.MethodPost, testPath, r, &result)
}

// Refresh has the sandbox look at the project now, and gives the reason why it
// goes on with what it had.
func (c *Client) Refresh(ctx context.Context) error {
	return c.ask(ctx, http.MethodPost, refreshPath, nil, nil)
}

// Stop has the sandbox end, and does not wait for that.
func (c *Client) Stop(ctx context.Context) error {
	return c.ask(ctx, http.MethodPost, stopPath, nil, nil)
}

// ask sends a value and reads the answer into another; each may be nil.
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
		return fmt.Errorf("asking the sandbox: its answer cannot be read: %w", err)
	}
	return nil
}

// send gives the answer to a request that was not refused.
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
	const enough = 64 << 10
	if json.NewDecoder(io.LimitReader(response.Body, enough)).Decode(&refused) != nil || refused.Error == "" {
		return nil, fmt.Errorf("asking the sandbox: it answers %s", response.Status)
	}
	return nil, errors.New(refused.Error)
}
