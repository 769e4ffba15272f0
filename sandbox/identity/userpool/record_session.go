package userpool

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
	"time"

	"gatewright/internal/uuid"
)

const (
	// tokenLife is the life of id and access tokens (the cloud's default).
	tokenLife = time.Hour
	// refreshTokenLife is the life of refresh tokens (the cloud's default).
	refreshTokenLife = 30 * 24 * time.Hour
)

// session is a completed sign-in. Its tokens name it in origin_jti, and are valid while it
// exists and is not revoked.
type session struct {
	Sub    string    `json:"sub"`
	Client string    `json:"client"`
	Since  time.Time `json:"since"`
	Until  time.Time `json:"until"`
	// Refresh is the hash of the refresh token.
	Refresh []byte `json:"refresh"`
	Revoked bool   `json:"revoked,omitzero"`

	origin       string `json:"-"`
	refreshToken string `json:"-"`
}

// newSession stores a session of a user.
func (r records) newSession(client string, u *user) (*session, error) {
	if err := r.sweepSessions(); err != nil {
		return nil, err
	}
	var random [64]byte
	_, _ = rand.Read(random[:])
	s := &session{
		Sub: u.Sub, Client: client, Since: r.now, Until: r.now.Add(refreshTokenLife),
		origin: uuid.New(), refreshToken: base64.RawURLEncoding.EncodeToString(random[:]),
	}
	hash := hashSecret(s.refreshToken)
	s.Refresh = []byte(hash)
	if err := r.put(refreshTokensBucket, hash, []byte(s.origin)); err != nil {
		return nil, err
	}
	if err := r.put(userSessionsBucket, u.Sub+"\x00"+s.origin, nil); err != nil {
		return nil, err
	}
	// Tokens that are refreshed at the last moment are valid for another hour.
	if err := r.put(sessionEndsBucket, timeKey(s.Until.Add(tokenLife))+s.origin, nil); err != nil {
		return nil, err
	}
	return s, r.write(sessionsBucket, s.origin, s)
}

// sweepSessions deletes expired sessions.
func (r records) sweepSessions() error {
	for _, key := range r.expired(sessionEndsBucket) {
		if err := r.dropSession(key[len(timeKey(r.now)):]); err != nil {
			return err
		}
		if err := r.remove(sessionEndsBucket, key); err != nil {
			return err
		}
	}
	return nil
}

// dropSession deletes a session, which invalidates its tokens.
func (r records) dropSession(origin string) error {
	s, err := r.session(origin)
	if s == nil || err != nil {
		return err
	}
	if err := r.remove(refreshTokensBucket, string(s.Refresh)); err != nil {
		return err
	}
	if err := r.remove(userSessionsBucket, s.Sub+"\x00"+origin); err != nil {
		return err
	}
	return r.remove(sessionsBucket, origin)
}

// session is the session with an origin_jti, or nil.
func (r records) session(origin string) (*session, error) {
	s := new(session)
	if found, err := r.read(sessionsBucket, origin, s); !found {
		return nil, err
	}
	s.origin = origin
	return s, nil
}

// origins are the origin_jti of a user's sessions.
func (r records) origins(sub string) []string {
	var origins []string
	r.forEach(userSessionsBucket, sub+"\x00", func(key string, _ []byte) bool {
		_, origin, _ := strings.Cut(key, "\x00")
		origins = append(origins, origin)
		return true
	})
	return origins
}

// endSessions revokes all sessions of a user: tokens that were issued are refused from now
// on.
func (r records) endSessions(sub string) error {
	for _, origin := range r.origins(sub) {
		s, err := r.session(origin)
		if err != nil {
			return err
		}
		if s == nil || s.Revoked {
			continue
		}
		s.Revoked = true
		if err := r.write(sessionsBucket, origin, s); err != nil {
			return err
		}
	}
	return nil
}

// dropSessions deletes all sessions of a user.
func (r records) dropSessions(sub string) error {
	for _, origin := range r.origins(sub) {
		if err := r.dropSession(origin); err != nil {
			return err
		}
	}
	return nil
}

// refreshed is the session of a refresh token, or nil.
func (r records) refreshed(token string) (*session, error) {
	origin := r.get(refreshTokensBucket, hashSecret(token))
	if origin == nil {
		return nil, nil
	}
	return r.session(string(origin))
}
