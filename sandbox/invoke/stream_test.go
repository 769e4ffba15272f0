package invoke

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"net/http"
	"strings"
	"testing"
)

// readMessages reads a stream of events: their types with their payloads.
func readMessages(t *testing.T, text string) (kinds, payloads []string) {
	t.Helper()
	data := []byte(text)
	for len(data) > 0 {
		size, headers := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
		if crc32.ChecksumIEEE(data[:8]) != binary.BigEndian.Uint32(data[8:]) || crc32.ChecksumIEEE(data[:size-4]) != binary.BigEndian.Uint32(data[size-4:]) {
			t.Fatal("a checksum is wrong")
		}
		fields := map[string]string{}
		for rest := data[12 : 12+headers]; len(rest) > 0; {
			name := string(rest[1 : 1+rest[0]])
			rest = rest[1+rest[0]:]
			n := binary.BigEndian.Uint16(rest[1:])
			fields[name], rest = string(rest[3:3+n]), rest[3+n:]
		}
		kinds = append(kinds, fields[":event-type"])
		payloads = append(payloads, string(data[12+headers:size-4]))
		data = data[size:]
	}
	return kinds, payloads
}

func TestAStreamHasThePayloadAndTheEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	const path = "/2021-11-15/functions/orders/response-streaming-invocations"
	a := s.send("POST", path, `{"long":100000}`, "X-Amz-Log-Type: Tail")
	kinds, payloads := readMessages(t, a.body)
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/vnd.amazon.eventstream" || strings.Join(kinds, " ") != "PayloadChunk PayloadChunk InvokeComplete" {
		t.Fatalf("it is answered %d %s, %q", a.status, a.header, kinds)
	}
	if whole := payloads[0] + payloads[1]; len(whole) != 100002 || !json.Valid([]byte(whole)) {
		t.Errorf("the payload has %d bytes", len(whole))
	}
	if !strings.HasPrefix(payloads[2], `{"LogResult":"`) {
		t.Errorf("the end is %s", payloads[2])
	}
	kinds, payloads = readMessages(t, s.send("POST", path, `{"fail":true}`).body)
	if strings.Join(kinds, " ") != "InvokeComplete" || !strings.HasPrefix(payloads[0], `{"ErrorCode":"Unhandled","ErrorDetails":"{\"errorType\":\"Error\",\"errorMessage\":\"no orders\"`) {
		t.Errorf("a failed call is answered %q %q", kinds, payloads)
	}
	if a := s.send("POST", path, `{}`, event); a.status != http.StatusBadRequest || !strings.Contains(a.text(), "enum value set: [RequestResponse, DryRun]") {
		t.Errorf("a call that nobody waits for is answered %d %s", a.status, a.body)
	}
}
