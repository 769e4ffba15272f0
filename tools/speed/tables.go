//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"gatewright/sandbox/gateway"
	"gatewright/sandbox/table"
	"gatewright/tools/measure"
)

// serveTables serves the tables in a file through a gateway, as the sandbox does, in a
// process of its own, whose memory can be measured.
func serveTables(file string) error {
	store, err := table.Open(file, table.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening on http://" + listener.Addr().String())
	g := gateway.New(gateway.Options{Address: listener.Addr().String()})
	g.Handle("DynamoDB_20120810.", store.Handler())
	return g.Serve(listener)
}

// tableItems is the number of items that GetItem and PutItem use.
const tableItems = 1000

// measureTables compares the sandbox's tables with dynalite, and measures scans and queries
// of up to most items.
func measureTables(rounds int, span time.Duration, most int) error {
	work, err := os.MkdirTemp("", "tables")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx := context.Background()
	p := &measure.Project{Folder: filepath.Join(work, "none")}
	if _, err := p.Run(ctx, work, "npm", "install", "--no-audit", "--no-fund", "dynalite@4.0.0"); err != nil {
		return err
	}
	peer := `const s = require("dynalite")({createTableMs: 0}).listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + s.address().port))`
	type service struct {
		name, address string
		pid           int
	}
	var services []service
	for _, s := range []struct {
		name    string
		command []string
	}{
		{"dynalite (in memory)", []string{"node", "-e", peer}},
		{"the sandbox's tables (durable)", []string{self, "-serve-tables", filepath.Join(work, "tables.db")}},
	} {
		started, address, err := listening(p.Command(ctx, work, s.command[0], s.command[1:]...))
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		defer started.Kill()
		services = append(services, service{s.name, address, started.PID()})
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "calls a second (p50)\tget, 1\tget, 8\tput, 1\tput, 8\tmemory")
	rates := make(map[string][]float64)
	for _, s := range services {
		if err := fill(s.address, "items", tableItems); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	cells := make(map[string]map[string][]sample)
	kinds := []struct {
		operation   string
		connections int
	}{{"GetItem", 1}, {"GetItem", 8}, {"PutItem", 1}, {"PutItem", 8}}
	for range rounds {
		for _, kind := range kinds {
			for _, s := range services {
				m, err := (&server{name: s.name, pid: s.pid, open: overTables(s.address, kind.operation)}).measure(kind.connections,
					span)
				if err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				if cells[s.name] == nil {
					cells[s.name] = make(map[string][]sample)
				}
				key := fmt.Sprint(kind)
				cells[s.name][key] = append(cells[s.name][key], m)
			}
		}
	}
	for _, s := range services {
		fmt.Fprint(out, s.name)
		for _, kind := range kinds {
			samples := cells[s.name][fmt.Sprint(kind)]
			rate := median(samples, func(m sample) float64 { return m.rate })
			rates[s.name] = append(rates[s.name], rate)
			fmt.Fprintf(out, "\t%.0f (%v)", rate, rounded(median(samples, func(m sample) float64 { return float64(m.p50) })))
		}
		fmt.Fprintf(out, "\t%d MB\n", resident(s.pid))
	}
	fmt.Fprint(out, "ratio")
	for i := range kinds {
		fmt.Fprintf(out, "\t%.1f", rates[services[1].name][i]/rates[services[0].name][i])
	}
	fmt.Fprintln(out)
	if err := out.Flush(); err != nil || most == 0 {
		return err
	}
	return measureGrowth(services[1].address, services[1].pid, most)
}

// measureGrowth measures scans of a table and queries of one key for tables of growing size.
func measureGrowth(address string, pid, most int) error {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "items\twritten\tscan, an item\tquery of a key with a tenth of them, an item\tmemory")
	for n := 1000; n <= most; n *= 10 {
		name := "grown" + strconv.Itoa(n)
		begun := time.Now()
		if err := fill(address, name, n); err != nil {
			return err
		}
		written := time.Since(begun)
		scanned, seen, err := readAll(address, "Scan", `{"TableName":"`+name+`"`)
		if err == nil && seen != n {
			err = fmt.Errorf("a scan of %d items gives %d", n, seen)
		}
		if err != nil {
			return err
		}
		query := `{"TableName":"` + name +
			`","KeyConditionExpression":"pk = :k","ExpressionAttributeValues":{":k":{"S":"key1"}}`
		queried, found, err := readAll(address, "Query", query)
		if err == nil && found != n/10 {
			err = fmt.Errorf("a query of %d items gives %d", n/10, found)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d\t%v\t%v\t%v\t%d MB\n", n, written.Round(time.Millisecond), scanned/time.Duration(n),
			queried/time.Duration(found), resident(pid))
	}
	return out.Flush()
}

// readAll reads all pages of an operation, and returns the duration and the number of items.
func readAll(address, operation, input string) (time.Duration, int, error) {
	begun, count, from := time.Now(), 0, ""
	for {
		text, err := askTable(address, operation, input+from+"}")
		if err != nil {
			return 0, 0, err
		}
		_, rest, _ := strings.Cut(text, `"Count":`)
		var n int
		if _, err := fmt.Sscanf(rest, "%d", &n); err != nil {
			return 0, 0, fmt.Errorf("%s answers %.200s", operation, text)
		}
		count += n
		_, key, more := strings.Cut(text, `"LastEvaluatedKey":`)
		if !more {
			return time.Since(begun), count, nil
		}
		end := strings.Index(key, "}}")
		from = `,"ExclusiveStartKey":` + key[:end+2]
	}
}

// fill makes a table of ten partitions with n items.
func fill(address, name string, n int) error {
	_, err := askTable(address, "CreateTable",
		`{"TableName":"`+name+
			`","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`)
	for tries := 0; err == nil && tries < 100; tries++ {
		var text string
		if text, err = askTable(address, "DescribeTable", `{"TableName":"`+name+`"}`); strings.Contains(text, `"ACTIVE"`) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	const batch = 25
	for at := 0; err == nil && at < n; at += batch {
		var puts []string
		for i := at; i < min(at+batch, n); i++ {
			puts = append(puts, `{"PutRequest":{"Item":`+tableItem(i)+`}}`)
		}
		_, err = askTable(address, "BatchWriteItem", `{"RequestItems":{"`+name+`":[`+strings.Join(puts, ",")+`]}}`)
	}
	return err
}

// tableItem is item i, of some 200 bytes.
func tableItem(i int) string {
	return fmt.Sprintf(`{"pk":{"S":"key%d"},"sk":{"N":"%d"},"title":{"S":"%s"},"price":{"N":"12.5"},"tags":{"L":[{"S":"a"},{"BOOL":true}]}}`, i%10, i, strings.Repeat("x", 120))
}

// setupClient sends requests that are not measured.
var setupClient = &http.Client{Timeout: time.Minute}

func askTable(address, operation, input string) (string, error) {
	r, err := http.NewRequest(http.MethodPost, "http://"+address+"/", strings.NewReader(input))
	if err != nil {
		return "", err
	}
	for name, value := range tableHeaders(operation) {
		r.Header.Set(name, value)
	}
	answer, err := setupClient.Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %d %s", operation, answer.StatusCode, text)
	}
	return string(text), err
}

func tableHeaders(operation string) map[string]string {
	return map[string]string{
		"X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0",
		"X-Amz-Date": "20261122T000000Z",
		"Authorization": "AWS4-HMAC-SHA256 Credential=local/20261122/us-east-1/dynamodb/aws4_request, " +
			"SignedHeaders=host;x-amz-date, Signature=0",
	}
}

// overTables makes calls of one operation over a kept connection.
func overTables(address, operation string) func() (func() (time.Duration, error), func(), error) {
	var next atomic.Int64
	return func() (func() (time.Duration, error), func(), error) {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			return nil, nil, err
		}
		in := bufio.NewReader(connection)
		head := "POST / HTTP/1.1\r\nHost: " + address + "\r\n"
		for name, value := range tableHeaders(operation) {
			head += name + ": " + value + "\r\n"
		}
		call := func() (time.Duration, error) {
			i := int(next.Add(1)*7) % tableItems
			input := fmt.Sprintf(`{"TableName":"items","Key":{"pk":{"S":"key%d"},"sk":{"N":"%d"}}}`, i%10, i)
			if operation == "PutItem" {
				input = `{"TableName":"items","Item":` + tableItem(i) + `}`
			}
			if _, err := io.WriteString(connection,
				head+"Content-Length: "+strconv.Itoa(len(input))+"\r\n\r\n"+input); err != nil {
				return 0, err
			}
			answer, err := http.ReadResponse(in, nil)
			if err != nil {
				return 0, err
			}
			text, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err == nil &&
				(answer.StatusCode != http.StatusOK || operation == "GetItem" && !strings.Contains(string(text), `"title"`)) {
				err = fmt.Errorf("%s answers %d %s", operation, answer.StatusCode, text)
			}
			return 0, err
		}
		return call, func() { _ = connection.Close() }, nil
	}
}

// resident is the memory of a process in MB.
func resident(pid int) int {
	bytes, err := measure.Resident(pid)
	if err != nil {
		log.Print("the memory cannot be read: ", err)
	}
	return bytes >> 20
}
