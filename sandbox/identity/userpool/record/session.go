package record

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
	"time"

	"gatewright/internal/uuid"
)

// Session is a completed sign-in. Its tokens name it in origin_jti, and are valid while it
// exists and is not revoked.
type Session struct {
	Sub    string    `json:"sub"`
	Client string    `json:"client"`
	Since  time.Time `json:"since"`
	Until  time.Time `json:"until"`
	// Refresh is the hash of the refresh token.
	Refresh []byte `json:"refresh"`
	Revoked bool   `json:"revoked,omitzero"`

	Origin       string `json:"-"`
	RefreshToken string `json:"-"`
}

// NewSession stores a session of a user.
func (r Records) NewSession(client string, u *User) (*Session, error) {
	if err := r.sweepSessions(); err != nil {
		return nil, err
	}
	var random [64]byte
	_, _ = rand.Read(random[:])
	access, id, refresh := r.Pool.Definition.Lasting()
	s := &Session{
		Sub: u.Sub, Client: client, Since: r.Now, Until: r.Now.Add(time.Duration(refresh) * time.Second),
		Origin: uuid.New(), RefreshToken: base64.RawURLEncoding.EncodeToString(random[:]),
	}
	hash := HashSecret(s.RefreshToken)
	s.Refresh = []byte(hash)
	if err := r.put(refreshTokensBucket, hash, []byte(s.Origin)); err != nil {
		return nil, err
	}
	if err := r.put(userSessionsBucket, u.Sub+"\x00"+s.Origin, nil); err != nil {
		return nil, err
	}
	// Tokens that are refreshed at the last moment are valid for some more time.
	end := s.Until.Add(time.Duration(max(access, id)) * time.Second)
	if err := r.put(sessionEndsBucket, timeKey(end)+s.Origin, nil); err != nil {
		return nil, err
	}
	return s, r.Write(SessionsBucket, s.Origin, s)
}

// sweepSessions deletes expired sessions.
func (r Records) sweepSessions() error {
	for _, key := range r.expired(sessionEndsBucket) {
		if err := r.DropSession(key[len(timeKey(r.Now)):]); err != nil {
			return err
		}
		if err := r.remove(sessionEndsBucket, key); err != nil {
			return err
		}
	}
	return nil
}

// DropSession deletes a session, which invalidates its tokens.
func (r Records) DropSession(origin string) error {
	s, err := r.Session(origin)
	if s == nil || err != nil {
		return err
	}
	if err := r.remove(refreshTokensBucket, string(s.Refresh)); err != nil {
		return err
	}
	if err := r.remove(userSessionsBucket, s.Sub+"\x00"+origin); err != nil {
		return err
	}
	return r.remove(SessionsBucket, origin)
}

// Session is the session with an origin_jti, or nil.
func (r Records) Session(origin string) (*Session, error) {
	s := new(Session)
	if found, err := r.Read(SessionsBucket, origin, s); !found {
		return nil, err
	}
	s.Origin = origin
	return s, nil
}

// origins are the origin_jti of a user's sessions.
func (r Records) origins(sub string) []string {
	var origins []string
	r.forEach(userSessionsBucket, sub+"\x00", func(key string, _ []byte) bool {
		_, origin, _ := strings.Cut(key, "\x00")
		origins = append(origins, origin)
		return true
	})
	return origins
}

// EndSessions revokes all sessions of a user: tokens that were issued are refused from now
// on.
func (r Records) EndSessions(sub string) error {
	for _, origin := range r.origins(sub) {
		s, err := r.Session(origin)
		if err != nil {
			return err
		}
		if s == nil || s.Revoked {
			continue
		}
		s.Revoked = true
		if err := r.Write(SessionsBucket, origin, s); err != nil {
			return err
		}
	}
	return nil
}

// dropSessions deletes all sessions of a user.
func (r Records) dropSessions(sub string) error {
	for _, origin := range r.origins(sub) {
		if err := r.DropSession(origin); err != nil {
			return err
		}
	}
	return nil
}

// Refreshed is the session of a refresh token, or nil.
func (r Records) Refreshed(token string) (*Session, error) {
	origin := r.Get(refreshTokensBucket, HashSecret(token))
	if origin == nil {
		return nil, nil
	}
	return r.Session(string(origin))
}
