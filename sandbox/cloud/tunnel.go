package cloud

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Programs whose HTTP client honours HTTPS_PROXY, such as functions in Go, reach other
// hosts through the Server, so that it sees which are the cloud's.

// tunnel answers CONNECT: a connection to the cloud is refused, any other is made.
func (s *Server) tunnel(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		http.Error(w, "The host has no port.", http.StatusBadRequest)
		return
	}
	if service := serviceOfHost(host); service != "" {
		wanted := Request{Service: service, Action: "a connection to " + shortPath(host)}
		if !serviceName().MatchString(service) {
			wanted.Service = "unknown"
		}
		name, _, _ := proxyUser(r)
		c, _ := s.options.Caller(name)
		s.options.Refused(c, wanted)
		refused := s.watch(w, r, c, wanted, nil)
		refused.use.Why = wanted.Text()
		http.Error(refused, wanted.Text(), http.StatusForbidden)
		return
	}
	const dialing = 30 * time.Second
	ctx, cancel := context.WithTimeout(r.Context(), dialing)
	defer cancel()
	server, err := dial(ctx, r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer func() { _ = server.Close() }()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "HTTP/1.1 is needed.", http.StatusHTTPVersionNotSupported)
		return
	}
	defer func() { _ = client.Close() }()
	if _, err := io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	done := make(chan struct{}, 2)
	go func() {
		_, _ = io.Copy(server, buffered)
		done <- struct{}{}
	}()
	go func() {
		_, _ = io.Copy(client, server)
		done <- struct{}{}
	}()
	<-done
}

// proxyUser is the user name in the Proxy-Authorization header: the access key id of a
// function.
func proxyUser(r *http.Request) (name, password string, ok bool) {
	request := &http.Request{Header: http.Header{"Authorization": {r.Header.Get("Proxy-Authorization")}}}
	return request.BasicAuth()
}

// dial connects to a host, through the proxy of this process if it has one.
func dial(ctx context.Context, address string) (net.Conn, error) {
	var dialer net.Dialer
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: "https", Host: address}})
	if err != nil || proxy == nil {
		return dialer.DialContext(ctx, "tcp", address)
	}
	if proxy.Scheme != "http" {
		return nil, errors.New("the proxy of this machine is not one for http")
	}
	through := proxy.Host
	if proxy.Port() == "" {
		through = net.JoinHostPort(proxy.Hostname(), "80")
	}
	connection, err := dialer.DialContext(ctx, "tcp", through)
	if err != nil {
		return nil, err
	}
	// A proxy that does not answer is given up like a host that does not.
	defer context.AfterFunc(ctx, func() { _ = connection.Close() })()
	request := &http.Request{
		Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address,
		Header: make(http.Header),
	}
	if user := proxy.User; user != nil {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
		request.Header.Set("Proxy-Authorization", request.Header.Get("Authorization"))
		request.Header.Del("Authorization")
	}
	if err := request.Write(connection); err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), request)
	if err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, errors.Join(errors.New("the proxy of this machine returned "+response.Status), connection.Close())
	}
	return connection, nil
}
