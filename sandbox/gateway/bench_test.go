package gateway

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/signature"
	"gatewright/sandbox/traffic"
)

// BenchmarkCall compares a call of a function that takes no time with a net/http server: the
// difference is the cost of the gateway, without and with what it remembers of each request.
func BenchmarkCall(b *testing.B) {
	hello := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"hello":"world"}`)
	})}
	b.Run("net/http", func(b *testing.B) {
		benchmarkServer(b, hello.Serve, "/")
	})
	store, err := logs.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	g := New(Options{Invoker: returns(`{"statusCode":200,"headers":{"x-a":"b"},"body":"{\"hello\":\"world\"}"}`), Logs: store, Address: "127.0.0.1:4280"})
	g.Apply([]API{shop()})
	b.Run("gateway", func(b *testing.B) {
		benchmarkServer(b, g.Serve, "/"+testID+"/dev/items/1?limit=3")
	})
	g.options.Traffic = traffic.New(time.Now())
	b.Run("gateway that remembers", func(b *testing.B) {
		benchmarkServer(b, g.Serve, "/"+testID+"/dev/items/1?limit=3")
	})
}

func benchmarkServer(b *testing.B, serve func(net.Listener) error, target string, lines ...string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go serve(listener)
	defer listener.Close()
	c, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	from := bufio.NewReader(c)
	send := request("GET", target, "", append(lines, "User-Agent: benchmark", "Accept: */*", "accept-language: en", "X-Request: 1")...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := io.WriteString(c, send); err != nil {
			b.Fatal(err)
		}
		answer, err := readReply(from, "GET")
		if err != nil || answer.status != 200 {
			b.Fatal(answer, err)
		}
	}
}

// BenchmarkParts measures making the event and reading the result.
func BenchmarkParts(b *testing.B) {
	s := newServed(shop())
	id := newIdentifiers("", time.Now())
	r := Request{Method: "GET", Path: "/items", Query: "limit=3", Headers: http.Header{"Accept": {"*/*"}, "User-Agent": {"benchmark"}}}
	_, route, _ := newDirectory([]API{shop()}).test(Request{Environment: "dev", Label: "shop", Method: "GET", Path: "/items"})
	b.Run("event", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			consoleEvent(s, r, route, id, time.Now()).json()
		}
	})
	g := New(Options{Traffic: traffic.New(time.Now())})
	event := consoleEvent(s, r, route, id, time.Now())
	b.Run("record", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			kept := g.beginRecord(traffic.Request, time.Now(), "", "GET", "/items", "limit=3")
			kept.keepEvent(event, "items")
			kept.keepRun(function.Answer{Payload: []byte(`{"statusCode":200,"body":"{}"}`)})
			kept.end(200, preflightFields(id, new(access.CORS), ""), "{}")
		}
	})
	payload := []byte(`{"statusCode":200,"headers":{"x-a":"b","content-type":"application/json; charset=utf-8"},"body":"{\"hello\":\"world\"}","isBase64Encoded":false}`)
	b.Run("result", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, bad := parseResult(payload); bad != nil {
				b.Fatal(bad)
			}
		}
	})
}

// BenchmarkRestricted compares signed and unsigned calls of a restricted path: the
// difference is the cost of a signature.
func BenchmarkRestricted(b *testing.B) {
	g := New(Options{Invoker: returns(`{"statusCode":200,"body":"{}"}`), Identities: testPeople(), Address: "127.0.0.1:4280"})
	g.Apply([]API{restrictedAPI()})
	r := signature.Request{Method: "GET", Target: "/" + testID + "/dev/stall/1?limit=3", Host: "127.0.0.1"}
	signature.Sign(&r, signature.Credentials{AccessKeyID: "ASIA", SecretKey: secretOf("emma"), SessionToken: "emma"}, "eu-west-1", "execute-api", time.Now())
	var lines []string
	for _, f := range r.Fields {
		lines = append(lines, f.Name+": "+f.Value)
	}
	b.Run("signed", func(b *testing.B) { benchmarkServer(b, g.Serve, r.Target, lines...) })
	b.Run("unsigned", func(b *testing.B) { benchmarkServer(b, g.Serve, r.Target) })
}
