package invoke

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"net/http"
)

// longestChunk is the most bytes of a payload in one event of a stream.
const longestChunk = 64 << 10

// stream writes an answer as a stream of events: the payload in parts, and how the call
// ended (https://docs.aws.amazon.com/lambda/latest/api/API_InvokeWithResponseStream.html).
// The function has ended already: the sandbox passes on what it streamed in one go.
func stream(w http.ResponseWriter, payload []byte, failed bool, log string) {
	w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
	end := struct {
		Code    string `json:"ErrorCode,omitempty"`
		Details string `json:"ErrorDetails,omitempty"`
		Log     string `json:"LogResult,omitempty"`
	}{Log: log}
	if failed {
		end.Code, end.Details, payload = unhandled, string(payload), nil
	}
	for len(payload) > 0 {
		part := payload[:min(len(payload), longestChunk)]
		payload = payload[len(part):]
		_, _ = w.Write(message("PayloadChunk", "application/octet-stream", part))
	}
	// Texts can always be encoded.
	text, _ := json.Marshal(end)
	_, _ = w.Write(message("InvokeComplete", "application/json", text))
}

// message encodes an event of a stream: two lengths with their checksum, headers, payload, and a
// checksum of all (https://smithy.io/2.0/aws/amazon-eventstream.html).
func message(kind, contentType string, payload []byte) []byte {
	const (
		ends   = 16
		isText = 7
	)
	var headers []byte
	for _, header := range [][2]string{{":message-type", "event"}, {":event-type", kind}, {":content-type", contentType}} {
		headers = append(append(headers, byte(len(header[0]))), header[0]...)
		headers = binary.BigEndian.AppendUint16(append(headers, isText), uint16(len(header[1])))
		headers = append(headers, header[1]...)
	}
	all := binary.BigEndian.AppendUint32(nil, uint32(ends+len(headers)+len(payload)))
	all = binary.BigEndian.AppendUint32(all, uint32(len(headers)))
	all = binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(all))
	all = append(append(all, headers...), payload...)
	return binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(all))
}
